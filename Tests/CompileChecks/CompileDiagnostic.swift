/// An error or a warning of the compiler.
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

    /// Both are at one line, and what is found holds this message.
    func isMet(by found: Self) -> Bool {
        found.line == line && found.kind == kind && found.message.contains(message)
    }

    /// All in what the compiler printed, in the style `llvm`: `/…/File.swift:3:14: error: …`. Its
    /// notes are left out.
    static func all(in output: String) -> [Self] {
        output.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /.*?:(\d+):\d+: (error|warning): (.*)/),
                let number = Int(match.output.1)
            else { return nil }
            return Self(line: number, kind: String(match.output.2), message: String(match.output.3))
        }
    }
}
