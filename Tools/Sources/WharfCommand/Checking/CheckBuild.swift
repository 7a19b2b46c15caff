import Foundation

/// Builds the program of a check from the user's sources and Wharf's own.
///
/// An existing build is reused.
struct CheckBuild {
    let plan: CheckPlan
    let sources: WharfSources
    let toolchain: Toolchain
    let builds: BuildFolder
    let surroundings: Surroundings

    /// Returns the path of the program.
    ///
    /// - Parameter inputs: the user's files.
    /// - Throws: ``CheckFailure``. The compiler's messages are on standard error then.
    func program(of inputs: CheckInputs) async throws(CheckFailure) -> String {
        let fingerprint = fingerprint(of: inputs)
        if let made = builds.find(.program, fingerprint) { return "\(made)/program" }
        let library = try await library()
        let made = try await builds.build(.program, fingerprint) { site throws(CheckFailure) in
            try await announced("compiling \(inputs.count == 1 ? "1 file" : "\(inputs.count) files")") {
                () throws(CheckFailure) in try await compile(inputs, library, at: site)
            }
            // The compiler has read the files itself. If they changed meanwhile, the build must not
            // be stored under the old fingerprint.
            guard self.fingerprint(of: try CheckInputs(plan)).text == fingerprint.text else {
                throw CheckFailure("the sources changed while they were compiled; run the check again", .notCompiled)
            }
        }
        return "\(made)/program"
    }

    /// Removes a program that can't be started.
    func discard(_ inputs: CheckInputs) {
        if let made = builds.find(.program, fingerprint(of: inputs)) { builds.discard(made) }
    }

    private func fingerprint(of inputs: CheckInputs) -> Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add("toolchain", toolchain.identity)
        fingerprint.add("folder", FilePath.real(plan.folder) ?? plan.folder)
        fingerprint.add("module", inputs.module.name)
        fingerprint.add(file: "main", Array(inputs.module.main.utf8))
        for file in inputs.sources {
            fingerprint.add(file: String(file.path.dropFirst(plan.folder.count)), file.contents)
        }
        for file in inputs.others { fingerprint.add(file: FilePath.real(file.path) ?? file.path, file.contents) }
        add(sources, to: &fingerprint)
        return fingerprint
    }

    private func add(_ sources: WharfSources, to fingerprint: inout Fingerprint) {
        for file in sources.files.joined() {
            fingerprint.add(file: String(file.path.dropFirst(sources.folder.count)), file.contents)
        }
    }

    // MARK: What all check programs have in common

    /// Returns the folder with Wharf's compiled modules.
    private func library() async throws(CheckFailure) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add("toolchain", toolchain.identity)
        // The file of a toolchain does not identify it if swiftly or xcrun chooses the version.
        fingerprint.add("version", try await version())
        add(sources, to: &fingerprint)
        if let made = builds.find(.library, fingerprint) { return made }
        return try await builds.build(.library, fingerprint) { site throws(CheckFailure) in
            try await announced("building the checker; the first time takes a minute") { () throws(CheckFailure) in
                for (module, files) in zip(WharfSources.modules, sources.files) {
                    try await compile(module, files, at: site)
                }
            }
        }
    }

    private func version() async throws(CheckFailure) -> String {
        let (end, log) = try await run(["--version"], in: nil)
        guard end == .exited(0) else {
            if Task.isCancelled { throw cancelled }
            throw CheckFailure("'\(toolchain.compiler)' can't be used: \(Plain.shownLines(log))", .unavailable)
        }
        return Plain.line(log)
    }

    private func compile(_ module: String, _ files: [SourceFile], at site: BuildFolder.Site) async throws(CheckFailure)
    {
        let (folder, map) = (site.made, "\(site.work)/\(module).json")
        // One object per file, so that all cores compile.
        let objects = files.enumerated().map { index, file in
            let object = JSONText.quoted("\(folder)/\(module)-\(index).o")
            return "\(JSONText.quoted(file.path)): {\"object\": \(object)}"
        }
        try BuildFolder.write("{\(objects.joined(separator: ", "))}\n", to: map)
        var arguments = [
            "-c", "-output-file-map", map, "-emit-module", "-emit-module-path", "\(folder)/\(module).swiftmodule",
            "-I", folder, "-module-name", module, "-package-name", "Wharf", "-parse-as-library", "-O",
            "-whole-module-optimization", "-num-threads", "\(ProcessInfo.processInfo.activeProcessorCount)",
            "-suppress-warnings", "-swift-version", "6",
        ]
        // The same features as in Package.swift.
        for feature in [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            "InferIsolatedConformances", "ImmutableWeakCaptures",
        ] {
            arguments += ["-enable-upcoming-feature", feature]
        }
        let (end, log) = try await run(arguments + files.map(\.path), in: site.work)
        guard end == .exited(0) else {
            try endIfInterrupted(end, log)
            surroundings.writeError(log)
            throw CheckFailure(
                "\(module), which comes with wharf, could not be compiled by '\(toolchain.compiler)'; it needs Swift 6.2 or "
                    + "newer", .internalError)
        }
    }

    // MARK: The user's

    private func compile(
        _ inputs: CheckInputs, _ library: String, at site: BuildFolder.Site
    ) async throws(CheckFailure) {
        let main = "\(site.work)/WharfCheckMain__.swift"
        try BuildFolder.write(inputs.module.main, to: main)
        let arguments = [
            "-o", "\(site.made)/program", "-I", library, "-module-name", inputs.module.name, "-parse-as-library", "-O",
            "-whole-module-optimization", "-suppress-warnings", "-swift-version", "5", main,
        ]
        let files = (inputs.sources + inputs.others).map(\.path)
        let (end, log) = try await run(arguments + files + Self.objects(in: library), in: site.work)
        guard end != .exited(0) else { return }
        try endIfInterrupted(end, log)
        throw refused(CompilerMessages(log, type: plan.type, hiding: [site.work] + sources.folders))
    }

    /// Returns the object files of Wharf's modules.
    ///
    /// Passed as files they are all linked. That includes code that only the runtime refers to:
    /// conformances of Foundation's types.
    private static func objects(in library: String) throws(CheckFailure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: library).filter { $0.hasSuffix(".o") }.sorted()
                .map { "\(library)/\($0)" }
        } catch {
            throw CheckFailure("'\(library)' could not be read: \(error.localizedDescription)", .internalError)
        }
    }

    private func refused(_ messages: CompilerMessages) -> CheckFailure {
        if !messages.ofSources.isEmpty {
            surroundings.writeError(Plain.shownLines(messages.ofSources.joined(separator: "\n")) + "\n")
        }
        if !messages.hasErrorOfSources, !messages.ofOptions.isEmpty {
            return CheckFailure(messages.ofOptions.joined(separator: "\nwharf: "), .notCompiled)
        }
        for message in messages.ofOptions { surroundings.writeError("wharf: \(message)\n") }
        let hint =
            if messages.ofSources.contains(where: { $0.contains("'main' attribute") }) {
                "; a check has its own entry point: move the types into a folder without the file that has @main"
            } else if messages.ofSources.contains(where: { $0.contains("error: no such module") }) {
                "; name a folder that holds the types alone, without files that import modules missing on this machine"
            } else {
                ""
            }
        return CheckFailure("the sources don't compile\(hint)", .notCompiled)
    }

    // MARK: The compiler

    /// Throws if the compiler failed for a reason other than the sources.
    private func endIfInterrupted(_ end: ChildProcess.End, _ log: String) throws(CheckFailure) {
        if Task.isCancelled { throw cancelled }
        if log.contains("No space left on device") {
            throw CheckFailure(
                "the disk is full: '\(builds.path)' has no space for the compiled files; free some", .outputFailed)
        }
        guard case .signalled(let number) = end else { return }
        throw CheckFailure(
            "'\(toolchain.compiler)' was ended by signal \(number), perhaps for lack of memory", .internalError)
    }

    private var cancelled: CheckFailure { CheckFailure("cancelled", .cancelled) }

    /// - Parameter work: the folder for the compiler's own temporary files, of which it leaves
    ///   some. Nil for the default folder.
    /// - Returns: the exit and the messages of the compiler.
    private func run(
        _ arguments: [String], in work: String?
    ) async throws(CheckFailure) -> (end: ChildProcess.End, log: String) {
        do throws(OutputFailure) {
            let log = try surroundings.scratch.makeFile()
            defer { surroundings.scratch.remove(log) }
            let process = ChildProcess(
                path: toolchain.compiler, arguments: arguments,
                environment: surroundings.environment.merging(work.map { ["TMPDIR": $0] } ?? [:]) { $1 },
                log: log, cancellation: .kill)
            return (try await process.run(), String(decoding: try Descriptor.contents(of: log), as: UTF8.self))
        } catch {
            throw CheckFailure(error, .unavailable)
        }
    }

    /// Shows a message on a terminal while a slow step runs.
    private func announced(
        _ what: String, _ body: () async throws(CheckFailure) -> Void
    ) async throws(CheckFailure) {
        let isShown = surroundings.progressColumns() != nil
        if isShown { surroundings.writeError("wharf: \(what) …") }
        defer { if isShown { surroundings.writeError("\r\u{1B}[K") } }
        try await body()
    }
}
