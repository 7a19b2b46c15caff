import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The program that shows long output page by page, chosen by git's rules.
final class TerminalPager: Sendable {
    private struct Shown: Sendable {
        let pipe: Descriptor
        let program: StartedProcess
    }

    private let environment: [String: String]
    private let shown = Mutex<Shown?>(nil)

    init(environment: [String: String]) { self.environment = environment }

    /// The shell command in `PAGER`, or `less` if it is installed; nil for none.
    var command: String? {
        if let chosen = environment["PAGER"] {
            let trimmed = chosen.drop { $0 == " " }
            return trimmed.isEmpty || trimmed == "cat" ? nil : chosen
        }
        guard environment["TERM"] != "dumb" else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less -FRX" : nil
    }

    /// Whether the pager has the terminal.
    ///
    /// Ctrl-C then belongs to the pager, which stays until the user leaves it.
    var isShown: Bool { shown.withLock { $0 != nil } }

    /// Starts the pager.
    ///
    /// - Returns: a function that writes to the pager; nil if there is none. It throws once the
    ///   user has left the pager.
    func begin() throws(OutputFailure) -> (@Sendable ([UInt8]) throws(OutputFailure) -> Void)? {
        guard let command else { return nil }
        // The user may leave the pager before the end, and a write then must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let (reading, writing) = try Descriptor.pipe("the pager")
        // The child has a copy. If this end stayed open, the pipe would always have a reader.
        defer { reading.close() }
        var variables = environment
        // As git does: with these flags `less` ends by itself if all text fits on the screen.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        let process = ChildProcess(
            path: "/bin/sh", name: "sh", arguments: ["-c", command], environment: variables, input: reading,
            cancellation: .interrupt)
        do throws(OutputFailure) {
            let program = try process.start()
            shown.withLock { $0 = Shown(pipe: writing, program: program) }
        } catch {
            writing.close()
            throw error
        }
        return { bytes throws(OutputFailure) in try writing.write(bytes) }
    }

    /// Ends the output, and waits until the user leaves the pager.
    ///
    /// - Throws: ``OutputFailure`` if the shell could not start it.
    func end() async throws(OutputFailure) {
        guard let pager = shown.withLock({ $0 }) else { return }
        pager.pipe.close()
        // An unstructured task is not cancelled: the terminal is the pager's until the user leaves
        // it.
        let end = await Task { await pager.program.end() }.value
        shown.withLock { $0 = nil }
        // The shell's codes for a program that can't be run, and for one that is not found.
        if end == .exited(126) || end == .exited(127) {
            throw OutputFailure("the pager '\(command ?? "")' could not be started; set PAGER, or use --no-pager")
        }
    }
}
