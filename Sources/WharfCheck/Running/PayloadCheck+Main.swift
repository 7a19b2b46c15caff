// Other systems have no processes to start.
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
    /// Runs as a command line program over the documents that its arguments name, standard input
    /// where they name none, and ends the process.
    ///
    /// ```
    /// feed-check [--print] [--format text|json|sarif|junit] [--strict] [--ignored-keys] [--lines] [--max-errors N]
    ///            [--type-name TEXT] [--progress] [[--name TEXT] FILE|-|--unread NAME REASON]…
    /// ```
    ///
    /// The report goes to standard output. The exit code is 0 where all documents decode and obey
    /// the rules, 1 where one does not, 3 where an input can't be read, 64 where the arguments are
    /// wrong.
    ///
    /// The types run in processes of their own, in which nothing of `main` before this call may
    /// write to standard output: one that crashes costs its document.
    public func main() async -> Never {
        // A worker or reader that is gone is told by its descriptor.
        signal(SIGPIPE, SIG_IGN)
        if ProcessInfo.processInfo.environment[Worker.mark] != nil {
            do { try Worker(check: check).run() } catch { exit(ExitCode.internalError) }
            exit(ExitCode.good)
        }
        let program = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "check"
        let complain = { (message: String) in
            // There is no other place to say it.
            _ = try? Descriptor.error.write(Array("\(program): \(message)\n".utf8))
        }
        let arguments: CheckArguments
        do throws(CheckArguments.Wrong) {
            arguments = try CheckArguments(CommandLine.arguments.dropFirst())
        } catch {
            complain(error.message)
            exit(ExitCode.usage)
        }
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
