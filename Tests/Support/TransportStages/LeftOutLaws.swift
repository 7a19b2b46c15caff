package import WharfChecks
package import WharfCoreLaws

/// A law that is not checked for a transport, and the reason.
package struct LeftOutLaw: Sendable {
    package let law: String
    package let reason: String

    package init(_ law: String, because reason: String) {
        self.law = law
        self.reason = reason
    }

    /// The laws that this machine can't check.
    package static var here: [LeftOutLaw] {
        guard !RawPeer.hasIPv6 else { return [] }
        return [LeftOutLaw("an origin at an IPv6 address is reached", because: "this machine has no address ::1")]
    }
}

extension TransportLaws {
    /// Returns the laws for a transport on real sockets.
    ///
    /// - Parameter leftOut: the laws that crash the process, or that the transport can't keep. Each
    ///   is printed with its reason.
    package static func live(leavingOut leftOut: [LeftOutLaw] = []) -> [Law<Subject>] {
        let leftOut = leftOut + LeftOutLaw.here
        for one in leftOut { print("not checked: \"\(one.law)\", because \(one.reason)") }
        let names = Set(leftOut.map(\.law))
        return all.filter { !names.contains($0.name) }
    }
}
