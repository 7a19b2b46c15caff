/// Why a command line is not one: what was expected, what was found, what to do. Never the value of
/// a field.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let message: String

    init(_ message: String) { self.message = message }

    var description: String { message }
}
