import WharfPrimitives

/// Reads `Cache-Control`. No directive is hidden by the others, and each value is in its range.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzControl(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let value = text(start, count)
    checkRanges(CacheControl(value))
    // A prohibition counts before, after and beside any other text (RFC 9111 §4.2.1 asks for the
    // strictest reading).
    check(CacheControl("no-store, \(value)").noStore, "no-store is lost before the text")
    check(CacheControl("\(value), no-store").noStore, "no-store is lost after the text")
    check(CacheControl("\(value), max-age=0").maxAge == 0, "max-age=0 is lost after the text")
    var control = CacheControl(value)
    control.read("max-age=0, no-store, no-cache, private, must-revalidate")
    check(control.maxAge == 0 && control.noStore && control.noCache && control.isPrivate, "a second line is lost")
    check(control.forbidsStaleUse, "must-revalidate is lost")
    // The same line twice says the same (RFC 9110 §5.3).
    var twice = CacheControl(value)
    let once = twice
    twice.read(value)
    twice.noCacheFieldNames = once.noCacheFieldNames
    twice.privateFieldNames = once.privateFieldNames
    check(twice == once, "another meaning when repeated")
    if let targeted = CacheControl(targeted: value) { checkRanges(targeted) }
    return 0
}

private func checkRanges(_ control: CacheControl) {
    for seconds in [
        control.maxAge, control.sharedMaxAge, control.minFresh, control.maxStale, control.staleIfError,
        control.staleWhileRevalidate,
    ] { check((0...(1 << 31)).contains(seconds ?? 0), "\(String(describing: seconds)) seconds") }
    for name in control.noCacheFieldNames + control.privateFieldNames {
        check(FieldList.isToken(name), "no token: \(name)")
    }
}
