import WharfCache
import WharfCore

/// The first line is `Vary`, the second one the value of each named field in the request.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzVary(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = lines(start, count, atMost: 2)
    let vary = VaryFields(HTTPFields([HTTPField(name: .vary, value: input[0])]))
    guard case .names(let names) = vary else {
        check(vary.match([:], [:]) == (vary == .none), "* matches, or no Vary does not")
        return 0
    }
    var request = HTTPFields()
    for name in names { request.append(HTTPField(name: name, value: input.last ?? "")) }
    let hasCredential = vary.namesCredentials(of: request, account: nil)
    check(vary.match(vary.values(in: request), request) == !hasCredential, "a request does not match itself")
    check(vary.match(vary.values(in: [:]), [:]), "a request without fields does not match itself")
    // An absent field differs from one with a value, even an empty one (RFC 9111 §4.1).
    check(!vary.match(vary.values(in: [:]), request), "a request with fields matches one without")
    check(!vary.match(vary.values(in: request), [:]) || hasOnlyCredentials(names), "and the reverse")
    return 0
}

private func hasOnlyCredentials(_ names: [HTTPField.Name]) -> Bool {
    names.allSatisfy { [.cookie, .authorization, .proxyAuthorization].contains($0) }
}
