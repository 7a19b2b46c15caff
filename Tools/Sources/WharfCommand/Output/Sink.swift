/// The output of one run.
struct Sink {
    private enum Target {
        /// Bytes are written at once.
        case stream(@Sendable ([UInt8]) throws(OutputFailure) -> Void)
        /// Bytes become visible at ``Sink/finish()``.
        case file(OutputFile)
    }

    private let target: Target

    /// - Parameter path: nil for standard output.
    init(_ path: String?, in surroundings: Surroundings) throws(OutputFailure) {
        guard let path else {
            target = .stream { [write = surroundings.writeOutput] bytes throws(OutputFailure) in
                do { try write(bytes) } catch let failure as OutputFailure {
                    throw failure
                } catch {
                    throw OutputFailure("standard output could not be written: \(error)")
                }
            }
            return
        }
        if OutputFile.isSpecial(path) {
            let device = try Descriptor(writing: path)
            target = .stream { bytes throws(OutputFailure) in try device.write(bytes) }
        } else {
            target = .file(try OutputFile(path, scratch: surroundings.scratch))
        }
    }

    /// Whether written bytes can't be taken back.
    var isStream: Bool {
        if case .stream = target { true } else { false }
    }

    func write(_ bytes: [UInt8]) throws(OutputFailure) {
        switch target {
        case .stream(let write): try write(bytes)
        case .file(let file): try file.write(bytes)
        }
    }

    /// Discards the bytes so far, if that is possible.
    func restart() throws(OutputFailure) {
        if case .file(let file) = target { try file.restart() }
    }

    func finish() throws(OutputFailure) {
        if case .file(let file) = target { try file.commit() }
    }

    func abandon() {
        if case .file(let file) = target { file.abandon() }
    }
}
