internal import ChildPrograms
package import Foundation

/// The compiler with the modules that the running tests were built with.
package struct RunningCompiler: Sendable {
    private let modules: URL

    /// - Throws: ``CompileCheckError`` if there is no folder of modules near the test bundle.
    package init() throws {
        guard let bundle = Self.bundle else {
            throw CompileCheckError("expected to find the running test bundle, but nothing names it")
        }
        var folder = bundle
        // The bundle is the executable itself, or contains it three folders down.
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let modules = folder.appending(path: "Modules")
            guard FileManager.default.fileExists(atPath: modules.path) else { continue }
            self.modules = modules
            return
        }
        throw CompileCheckError(
            "expected a folder Modules near \(bundle.path), found none; run the tests by swift test")
    }

    /// Type-checks one file as a separate module in Swift 6 mode.
    ///
    /// - Returns: the errors and warnings in the compiler's order.
    package func typeCheck(_ file: URL, defining conditions: [String] = []) async throws -> [CompileDiagnostic] {
        var arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm"]
        arguments += ["-I", modules.path]
        arguments += conditions.flatMap { ["-D", $0] } + [file.path]
        let (status, output) = try await RunningProgram.output(of: arguments)
        let diagnostics = CompileDiagnostic.all(in: output)
        guard status == 0 || !diagnostics.isEmpty else {
            throw CompileCheckError("swiftc ended with \(status) and no diagnostic; it printed: \(output)")
        }
        return diagnostics
    }

    private static var bundle: URL? {
        #if os(Linux)
        return try? URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        #else
        return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        #endif
    }
}

/// The reason why a file could not be compiled.
package struct CompileCheckError: Error, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
