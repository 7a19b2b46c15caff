import Subprocess

/// Runs git and other programs.
enum Git {
    struct Output {
        var status: Int32
        var bytes: [UInt8]
        /// The text of standard error, without its last line end.
        var error: String

        /// The text of standard output, without its last line end.
        var text: String {
            var text = String(decoding: bytes, as: UTF8.self)
            if text.last?.isNewline == true { text.removeLast() }
            return text
        }
    }

    /// - Throws: ``AnnotationError`` if git is not installed. A failure of git is a status, not an
    ///   error.
    static func run(_ arguments: [String]) async throws(AnnotationError) -> Output {
        try await run("git", arguments, input: .none)
    }

    /// - Throws: ``AnnotationError`` if git is not installed, or fails.
    static func text(_ arguments: [String]) async throws(AnnotationError) -> String {
        let output = try await run(arguments)
        guard output.status == 0 else {
            throw AnnotationError(
                .programFailed, "'git \(arguments.joined(separator: " "))' failed: \(output.error)")
        }
        return output.text
    }

    static func run(
        _ name: String, _ arguments: [String], input: some InputProtocol
    ) async throws(AnnotationError) -> Output {
        do {
            let result = try await Subprocess.run(
                .name(name), arguments: Arguments(arguments), environment: environment(for: name), input: input,
                output: .bytes(limit: 1 << 20), error: .string(limit: 1 << 20))
            let status: Int32 =
                switch result.terminationStatus {
                case .exited(let code): code
                case .signaled(let number): 128 + number
                }
            var error = result.standardError
            if error.last?.isNewline == true { error.removeLast() }
            return Output(status: status, bytes: result.standardOutput, error: error)
        } catch {
            throw AnnotationError(.programFailed, "'\(name)' can't be run; is it installed, and on PATH? (\(error))")
        }
    }

    /// Returns an environment whose PATH begins with the program's folder.
    ///
    /// Subprocess forks for each folder of PATH until one has the program. In hooks git is in the
    /// first folder, but in a person's shell in one of the last.
    private static func environment(for name: String) -> Environment {
        let path = Surroundings.variable("PATH") ?? ""
        let folders = path.split(separator: ":")
        guard let folder = folders.first(where: { Files.isExecutable("\($0)/\(name)") }), folder != folders.first else {
            return .inherit
        }
        return .inherit.updating(["PATH": "\(folder):\(path)"])
    }
}
