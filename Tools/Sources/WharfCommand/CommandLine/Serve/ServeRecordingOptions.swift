import ArgumentParser

/// The recording of `wharf serve`.
struct ServeRecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record the answers of the origin in this file, with secrets replaced. It is overwritten.",
            valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Answer from this recording in place of the origin, without a network.", valueName: "file"))
    var replay: String?

    /// The names of the given options.
    var given: [String] { [("--record", record), ("--replay", replay)].filter { $0.1 != nil }.map(\.0) }

    func plan() throws(UsageError) -> RecordingPlan? {
        switch (record, replay) {
        case (nil, nil): return nil
        case (_?, _?):
            throw UsageError("--record and --replay can't be combined, because a replay has no new answers")
        case (let file?, nil): return .record(try checked(file, "--record"))
        case (nil, let file?): return .replay(try checked(file, "--replay"))
        }
    }

    private func checked(_ file: String, _ option: String) throws(UsageError) -> String {
        guard !file.isEmpty, !file.hasSuffix("/") else {
            throw UsageError("\(option): expected the name of a file, found '\(file)'")
        }
        return file
    }
}

/// The recording below the cache of a gateway.
enum RecordingPlan: Sendable {
    case record(String)
    case replay(String)

    var option: String {
        switch self {
        case .record: "--record"
        case .replay: "--replay"
        }
    }

    var text: String {
        switch self {
        case .record(let file): "recording: \(file)"
        case .replay(let file): "replaying \(file) without a network"
        }
    }
}
