import WharfCache
import WharfCore
import WharfPrimitives

/// The lines are scheme, `Host`, path and a reference, such as `Location`.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzTargets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = lines(start, count, atMost: 4)
    let (scheme, host) = (input[0], input.count > 1 ? input[1] : "")
    let (path, reference) = (input.count > 2 ? input[2] : "/", input.count > 3 ? input[3] : "")
    if let name = HostName(host) {
        // The parsed form is in normal form.
        check(HostName(name.description) == name, "\(host) is \(name), which is another host")
    }
    _ = InvalidEscape(in: path)?.message
    guard let target = target(scheme, host, path) else { return 0 }
    check(target.text == "\(target.origin)\(target.path)" && target.path.utf8.first == UInt8(ascii: "/"), target.text)
    check(!target.path.utf8.contains(UInt8(ascii: "#")), "a fragment: \(target.text)")
    guard HostName(host) != nil else { return 0 }
    // A normal form is its own: two keys of one resource would be stored twice.
    let again = WharfCache.TargetURI.of(
        HTTPRequest(
            method: .get, scheme: String(target.origin.utf8.prefix { $0 != UInt8(ascii: ":") }) ?? "",
            authority: authority(of: target), path: String(target.path)))
    check(again == target, "\(target.text) is \(again?.text ?? "refused")")
    // References are for the invalidation of other keys. Those that are not ASCII are left out:
    // URIs have no other characters (RFC 3986 §2).
    guard reference.utf8.allSatisfy({ $0 < 0x80 }), let other = target.resolve(reference) else { return 0 }
    check(other.path.utf8.first == UInt8(ascii: "/"), other.text)
    check(!other.path.utf8.contains(UInt8(ascii: "#")), "a fragment: \(other.text)")
    return 0
}

private func target(_ scheme: String, _ host: String, _ path: String) -> TargetURI? {
    TargetURI.of(HTTPRequest(method: .get, scheme: scheme, authority: host, path: path))
}

private func authority(of target: TargetURI) -> String {
    String(target.origin.drop { $0 != "/" }.dropFirst(2))
}
