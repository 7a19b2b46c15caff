import ArgumentParser

/// The whole command, from its arguments to its exit status.
public enum Program {
    /// - Parameter arguments: without the name of the program.
    public static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try RootCommand.parseAsRoot(arguments)
            if var action = command as? any AsyncParsableCommand {
                try await action.run()
            } else {
                try command.run()
            }
            return 0
        } catch let error as AnnotationError {
            Surroundings.writeError("annotate-git-commit: \(error.message)")
            return error.code.exitStatus
        } catch {
            let message = RootCommand.fullMessage(for: error)
            guard RootCommand.exitCode(for: error).isSuccess else {
                Surroundings.writeError(message)
                return AnnotationError.Code.usage.exitStatus
            }
            Surroundings.write(message)
            return 0
        }
    }
}
