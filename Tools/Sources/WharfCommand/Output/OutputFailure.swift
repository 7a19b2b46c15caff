#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why output could not be written, or input not be read.
struct OutputFailure: Error, CustomStringConvertible {
    let message: String
    /// Nobody reads the pipe any more.
    let isReaderGone: Bool

    var description: String { message }

    /// - Parameters:
    ///   - what: what could not be done, to what.
    ///   - number: `errno` as it was.
    init(_ what: String, errno number: Int32) {
        message = "\(what): \(String(cString: strerror(number)))"
        isReaderGone = number == EPIPE
    }

    init(_ message: String) {
        self.message = message
        isReaderGone = false
    }
}
