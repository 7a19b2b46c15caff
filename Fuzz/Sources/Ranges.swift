import WharfCache
import WharfPrimitives

/// Reads `Range`. The bytes lie in the body, and are those of the request.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzRanges(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let range = ByteRange(text(start, count)) else { return 0 }
    for length: Int64 in [0, 1, 2, 5, 1000, .max - 1, .max] {
        guard let bytes = range.bytes(of: length) else {
            if case .from(let first, _) = range { check(first >= length, "\(range) of \(length)") }
            if case .suffix(let count) = range { check(count == 0 || length == 0, "\(range) of \(length)") }
            continue
        }
        check(!bytes.isEmpty && bytes.lowerBound >= 0 && bytes.upperBound <= length, "\(bytes) of \(length)")
        switch range {
        case .from(let first, nil): check(bytes == first..<length, "\(bytes) of \(length)")
        case .from(let first, let last?):
            check(first <= last, "\(range)")
            check(bytes.lowerBound == first && bytes.upperBound - 1 <= last, "\(bytes) of \(length)")
        case .suffix(let count):
            check(bytes.upperBound == length && Int64(bytes.count) == min(count, length), "\(bytes) of \(length)")
        }
    }
    return 0
}
