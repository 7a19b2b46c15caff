import Foundation
import Testing

/// The rules that the compiler keeps: each wrong use in the folder Variance is refused at the line that says so, and its
/// corrected twin compiles.
@Suite struct VarianceTests {
    private static let folder = URL(filePath: "\(#filePath)").deletingLastPathComponent().appending(path: "Variance")

    @Test(arguments: ["ParameterVariance", "ResultVariance", "ErrorTypes"])
    func theCompilerRefusesWhatIsWrong(name: String) throws {
        let file = Self.folder.appending(path: "\(name).swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let expected = lines.enumerated().compactMap { index, line in
            line.range(of: "// expect-error: ").map { (line: index + 1, message: String(line[$0.upperBound...])) }
        }
        let found = try errors(file)
        #expect(found.map(\.line) == expected.map(\.line), "\(found)")
        #expect(zip(found, expected).allSatisfy { $0.message.contains($1.message) }, "\(found)")
        #expect(!expected.isEmpty)
        let twin = try errors(file, "-D", "CORRECTED")
        #expect(twin.isEmpty, "\(twin)")
    }

    private func errors(_ file: URL, _ options: String...) throws -> [(line: Int, message: String)] {
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", file.path]
        compiler.arguments?.append(contentsOf: options)
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        compiler.waitUntilExit()
        return text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /.*?:(\d+):\d+: error: (.*)/) else { return nil }
            return Int(match.1).map { ($0, String(match.2)) }
        }
    }
}
