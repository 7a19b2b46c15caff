/// An error in the command line: the expected and the found input, and the remedy.
///
/// It never contains the value of a field.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let message: String

    init(_ message: String) { self.message = message }

    var description: String { message }
}
