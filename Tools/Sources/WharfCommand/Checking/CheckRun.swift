import Foundation
import Wharf

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One `wharf check`, from its plan to its exit status.
struct CheckRun {
    let plan: CheckPlan
    let reader: SampleReader
    let surroundings: Surroundings

    func run() async -> ProcessStatus {
        var temporaries: [String] = []
        defer { for path in temporaries { surroundings.scratch.remove(path) } }
        do throws(CheckFailure) {
            // Cheap failures come first, before anything is compiled. If one payload can't be read,
            // the others are still checked.
            let failures = plan.payloads.compactMap(probe)
            if failures.count == plan.payloads.count, let failure = failures.first { throw failure }
            let inputs = try CheckInputs(plan)
            let environment = surroundings.environment
            let toolchain = try Toolchain(searching: environment["PATH"] ?? "")
            let sources = try WharfSources(beside: surroundings.executable, environment: environment)
            let build = CheckBuild(
                plan: plan, sources: sources, toolchain: toolchain, builds: try builds(environment),
                surroundings: surroundings)
            var arguments = plan.options
            if surroundings.progressColumns() != nil { arguments.append("--progress") }
            for payload in plan.payloads { arguments += try await words(payload, &temporaries) }
            return try await end(of: build, inputs, arguments)
        } catch {
            surroundings.writeError("wharf: \(Plain.shownLines(error.message))\n")
            return error.status
        }
    }

    private func end(
        of build: CheckBuild, _ inputs: CheckInputs, _ arguments: [String]
    ) async throws(CheckFailure) -> ProcessStatus {
        func start() async throws(CheckFailure) -> Result<ChildProcess.End, OutputFailure> {
            let process = ChildProcess(
                path: try await build.program(of: inputs), name: "wharf", arguments: arguments,
                environment: surroundings.environment, log: nil, cancellation: .interrupt)
            do throws(OutputFailure) { return .success(try await process.run()) } catch { return .failure(error) }
        }
        var started = try await start()
        var isBroken = if case .failure = started { true } else { false }
        // 127 is the loader's exit code: the toolchain was removed, and with it the libraries of
        // the program.
        if case .success(.exited(127)) = started { isBroken = true }
        if isBroken {
            // Another process may have removed the build, or a power failure may have left an empty
            // file.
            build.discard(inputs)
            started = try await start()
        }
        let end: ChildProcess.End
        do throws(OutputFailure) { end = try started.get() } catch { throw CheckFailure(error, .internalError) }
        if case .signalled(let number) = end, number != SIGINT, number != SIGTERM, number != SIGHUP {
            throw CheckFailure(
                "the check of \(plan.type) died of signal \(number) (\(String(cString: strsignal(number))))", .of(end))
        }
        return .of(end)
    }

    private func builds(_ environment: [String: String]) throws(CheckFailure) -> BuildFolder {
        if let named = environment["WHARF_CHECK_BUILDS"], !named.isEmpty {
            return BuildFolder(path: named, waiting: showWaiting)
        }
        guard let cache = CacheLocation.caches(name: "wharf").path, let folder = FilePath.folder(of: cache) else {
            throw CheckFailure(
                "there is no folder for caches; set WHARF_CHECK_BUILDS to a folder for built programs", .outputFailed)
        }
        return BuildFolder(path: "\(folder)/check", waiting: showWaiting)
    }

    private var showWaiting: @Sendable (Bool) -> Void {
        let surroundings = surroundings
        return { isWaiting in
            guard surroundings.progressColumns() != nil else { return }
            surroundings.writeError(isWaiting ? "wharf: waiting for the build of another check …" : "\r\u{1B}[K")
        }
    }

    /// Checks that a file exists and is readable.
    ///
    /// It does not read, because the bytes of a pipe can be read only once.
    private func probe(_ payload: SampleSource) -> CheckFailure? {
        guard case .file(let path) = payload else { return nil }
        guard let item = FilePath.item(at: path), access(path, R_OK) == 0 else {
            return CheckFailure(OutputFailure("'\(path)' could not be read", errno: errno), .inputNotRead)
        }
        guard !item.isFolder else {
            return CheckFailure(
                "expected a file, found the folder '\(path)'; name the files in it: '\(path)'/*.json", .inputNotRead)
        }
        return nil
    }

    /// Returns a payload as arguments for the program.
    ///
    /// The body of a URL is stored in a file.
    private func words(
        _ payload: SampleSource, _ temporaries: inout [String]
    ) async throws(CheckFailure) -> [String] {
        switch payload {
        case .standardInput: return ["-"]
        case .file(let path):
            let argument = FilePath.argument(path)
            return argument == path ? [path] : ["--name", path, argument]
        case .url:
            let bytes: [UInt8]
            do throws(SampleFailure) { bytes = try await reader.read(payload) } catch {
                if plan.payloads.count == 1 || error.status == .cancelled {
                    throw CheckFailure(error.message, error.status)
                }
                return ["--unread", payload.name, Plain.line(error.message)]
            }
            do throws(OutputFailure) {
                let path = try surroundings.scratch.makeFile()
                temporaries.append(path)
                try Descriptor.write(bytes, to: path)
                return ["--name", payload.name, path]
            } catch {
                throw CheckFailure(error, .outputFailed)
            }
        }
    }
}
