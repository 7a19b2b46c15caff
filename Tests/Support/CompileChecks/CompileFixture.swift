package import Foundation

/// A file with a wrong use, its expected diagnostics, and the correct use beside it.
///
/// ```swift
/// #if CORRECTED
/// let view = ProfileView(profiles: .live)
/// #else
/// let view = ProfileView()  // expect-error: missing argument for parameter 'profiles'
/// #endif
/// ```
///
/// The folder of the fixtures is excluded from its test target.
package struct CompileFixture: Sendable, CustomStringConvertible {
    package let file: URL

    /// Returns all fixtures of a folder beside the test, sorted by name.
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

    /// The diagnostics in the comments `// expect-error: TEXT`, where TEXT is a part of the
    /// message.
    package func expected() throws -> [CompileDiagnostic] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            line.range(of: "// expect-error: ").map {
                CompileDiagnostic(line: index + 1, kind: "error", message: String(line[$0.upperBound...]))
            }
        }
    }

    /// Returns the problems of the fixture: unexpected or missing diagnostics, and a corrected
    /// version that does not compile. Empty if there are none.
    ///
    /// - Parameter compiler: a compiler with the modules of the running build.
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
