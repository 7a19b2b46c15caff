import Foundation

/// The argument of `-d`: the text itself, a file, or standard input.
enum BodyArgument: Equatable {
    case text(String)
    case file(String)
    case standardInput

    init(_ argument: String) throws(UsageError) {
        guard argument.hasPrefix("@") else {
            self = .text(argument)
            return
        }
        switch argument.dropFirst() {
        case "": throw UsageError("-d: expected a file name after '@', found nothing; '@-' reads standard input")
        case "-": self = .standardInput
        case let name: self = .file(String(name))
        }
    }

    /// Returns the bytes unchanged.
    func read(_ standardInput: () throws -> [UInt8]) throws(UsageError) -> [UInt8] {
        switch self {
        case .text(let text): return Array(text.utf8)
        case .file(let path):
            do {
                return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            } catch {
                throw UsageError("-d: expected a file that can be read, found none at '\(path)': \(error.reason)")
            }
        case .standardInput:
            do {
                return try standardInput()
            } catch {
                throw UsageError("-d: standard input could not be read: \(error.reason)")
            }
        }
    }
}

extension Error {
    /// The system's message in one line.
    fileprivate var reason: String {
        let cocoa = self as NSError
        if let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError { return underlying.localizedDescription }
        return self is OutputFailure ? "\(self)" : cocoa.localizedDescription
    }
}
