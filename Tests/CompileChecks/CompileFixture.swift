package import Foundation

/// A wrong use in a file of its own, with what the compiler should say of it, and beside it the
/// right use:
///
/// ```swift
/// #if CORRECTED
/// let view = ProfileView(profiles: .live)
/// #else
/// let view = ProfileView()  // expect-error: missing argument for parameter 'profiles'
/// #endif
/// ```
///
/// The folder of such files is excluded from its test target.
package struct CompileFixture: Sendable, CustomStringConvertible {
    package let file: URL

    /// All files of a folder beside the test that asks, in the order of their names.
    package static func all(in folder: String, beside test: StaticString = #filePath) throws -> [Self] {
        let folder = URL(filePath: "\(test)").deletingLastPathComponent().appending(path: folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .sorted { $0.path < $1.path }
            .map(Self.init)
    }

    package init(file: URL) {
        self.file = file
    }

    package var description: String { file.deletingPathExtension().lastPathComponent }

    /// What the comments say: `// expect-error: TEXT`, where TEXT is part of the message.
    package func expected() throws -> [CompileDiagnostic] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            line.range(of: "// expect-error: ").map {
                CompileDiagnostic(line: index + 1, kind: "error", message: String(line[$0.upperBound...]))
            }
        }
    }

    /// What is wrong with the fixture: a diagnostic that is not expected or not there, a twin that
    /// does not compile. Empty when all is as it should be.
    ///
    /// - Parameter compiler: its modules are those of the running build.
    package func problems(_ compiler: RunningCompiler) async throws -> [String] {
        let expected = try expected()
        guard !expected.isEmpty else { return ["\(file.lastPathComponent) expects nothing; write // expect-error: …"] }
        var missing = expected
        var problems: [String] = []
        for found in try await compiler.typeCheck(file) {
            if let index = missing.firstIndex(where: { $0.isMet(by: found) }) {
                missing.remove(at: index)
            } else {
                problems.append("unexpected: \(found)")
            }
        }
        problems += missing.map { "missing: \($0)" }
        let twin = try await compiler.typeCheck(file, defining: ["CORRECTED"])
        return problems + twin.map { "the corrected twin: \($0)" }
    }
}
