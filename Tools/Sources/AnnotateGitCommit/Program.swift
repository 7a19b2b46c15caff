import ArgumentParser

/// The whole command, from its arguments to its exit status.
public enum Program {
    /// Runs the command and returns its exit status.
    ///
    /// - Parameter arguments: the arguments without the name of the program.
    public static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try command(arguments)
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

    /// Parses `add-ticket`, which the hooks call, without the root command.
    ///
    /// Below the root ArgumentParser first tries all arguments that may ask for a completion
    /// script. That takes a tenth of a hook's time. If parsing fails, the root reports the error.
    private static func command(_ arguments: [String]) throws -> any ParsableCommand {
        if arguments.first == AddTicketCommand.configuration.commandName,
            let command = try? AddTicketCommand.parseAsRoot(Array(arguments.dropFirst()))
        {
            return command
        }
        return try RootCommand.parseAsRoot(arguments)
    }
}
