// Other systems can't start processes.
#if os(macOS) || os(Linux) || os(Android)
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension PayloadCheck {
    /// Runs as a command line program, then ends the process.
    ///
    /// It checks the documents that its arguments name, or else standard input.
    ///
    /// ```
    /// feed-check [--print] [--format text|json|sarif|junit] [--strict] [--ignored-keys] [--lines] [--max-errors N]
    ///            [--type-name TEXT] [--progress] [[--name TEXT] FILE|-|--unread NAME REASON]…
    /// ```
    ///
    /// The report goes to standard output. The exit codes are:
    /// - 0: all documents decode and obey the rules
    /// - 1: a document does not
    /// - 3: an input can't be read
    /// - 64: the arguments are wrong
    ///
    /// The types run in worker processes, so a crash costs only its document. Each worker runs
    /// `main` up to this call, which must not write to standard output before it.
    public func main() async -> Never {
        // If the worker or reader is gone, a write then fails with EPIPE and does not end the
        // process.
        signal(SIGPIPE, SIG_IGN)
        if ProcessInfo.processInfo.environment[Worker.mark] != nil {
            do { try Worker(check: check).run() } catch { exit(ExitCode.internalError) }
            exit(ExitCode.good)
        }
        let program = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "check"
        let complain = { (message: String) in
            // If standard error fails, no other channel is left.
            _ = try? Descriptor.error.write(Array("\(program): \(message)\n".utf8))
        }
        let arguments: CheckArguments
        do throws(CheckArguments.InvalidArguments) {
            arguments = try CheckArguments(CommandLine.arguments.dropFirst())
        } catch {
            complain(error.message)
            exit(ExitCode.usage)
        }
        // Only lines give several blocks, so a single document needs one worker.
        let count = arguments.readsLines ? max(1, min(8, ProcessInfo.processInfo.activeProcessorCount)) : 1
        let workers = (0..<count).map { _ in WorkerProcess(WorkerProcess.thisProgram, CommandLine.arguments) }
        let start = ContinuousClock.now
        let output = Output(
            .output, progress: arguments.showsProgress && Descriptor.error.isTerminal ? .error : nil,
            now: { ContinuousClock.now - start })
        let run = CheckRun(
            arguments: arguments, typeName: arguments.typeName ?? typeName, workers: workers, output: output,
            complain: complain)
        exit(run.run())
    }
}
#endif
