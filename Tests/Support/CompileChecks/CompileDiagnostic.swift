/// A compiler error or warning.
package struct CompileDiagnostic: Sendable, Equatable, CustomStringConvertible {
    package let line: Int
    /// `error` or `warning`.
    package let kind: String
    package let message: String

    package init(line: Int, kind: String, message: String) {
        self.line = line
        self.kind = kind
        self.message = message
    }

    package var description: String { "line \(line): \(kind): \(message)" }

    /// Whether `found` has the same line and kind, and contains this message.
    func isMet(by found: Self) -> Bool {
        found.line == line && found.kind == kind && found.message.contains(message)
    }

    /// Returns all errors and warnings of the compiler's output in the style `llvm`, such as
    /// `/…/File.swift:3:14: error: …`. Notes are left out.
    static func all(in output: String) -> [Self] {
        output.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /.*?:(\d+):\d+: (error|warning): (.*)/),
                let number = Int(match.output.1)
            else { return nil }
            return Self(line: number, kind: String(match.output.2), message: String(match.output.3))
        }
    }
}
