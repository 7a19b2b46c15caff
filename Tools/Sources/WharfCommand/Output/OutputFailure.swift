#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The reason that output could not be written, or input not be read.
struct OutputFailure: Error, CustomStringConvertible {
    let message: String
    /// Whether the reader of the pipe has closed it.
    let isReaderGone: Bool

    var description: String { message }

    /// - Parameters:
    ///   - what: the failed operation and its object.
    ///   - number: the value of `errno`.
    init(_ what: String, errno number: Int32) {
        message = "\(what): \(String(cString: strerror(number)))"
        isReaderGone = number == EPIPE
    }

    init(_ message: String) {
        self.message = message
        isReaderGone = false
    }
}
