import WharfGraphQL

/// One subcommand of `wharf graphql`, from its files to its exit status.
struct GraphQLRun {
    enum Output: Sendable { case pretty, minified, none }

    let sources: [SampleSource]
    let output: Output
    let surroundings: Surroundings

    func run() -> ProcessStatus {
        var texts: [String] = []
        var status = ProcessStatus.delivered
        for source in sources {
            do throws(SampleFailure) {
                texts.append(try text(of: read(source), from: source))
            } catch {
                surroundings.writeError(Plain.shown(error.message) + "\n")
                // A file that was not read at all is the more serious failure.
                if status != .inputNotRead { status = error.status }
            }
        }
        return status == .delivered && output != .none ? write(texts) : status
    }

    private func read(_ source: SampleSource) throws(SampleFailure) -> [UInt8] {
        do {
            switch source {
            case .standardInput: return try surroundings.readInput()
            case .file(let path), .url(let path): return try Descriptor.contents(of: path)
            }
        } catch {
            throw SampleFailure(message: "wharf: \(error)", status: .inputNotRead)
        }
    }

    private func text(of bytes: [UInt8], from source: SampleSource) throws(SampleFailure) -> String {
        do throws(GraphQLSyntaxError) {
            return switch output {
            case .minified: try GraphQLDocument.minified(bytes)
            case .pretty, .none: try GraphQLDocument(parsing: bytes).pretty()
            }
        } catch {
            throw SampleFailure(message: "\(source.name):\(error)", status: .payloadErrors)
        }
    }

    private func write(_ texts: [String]) -> ProcessStatus {
        do throws(OutputFailure) {
            let sink = try Sink(nil, in: surroundings)
            try sink.write(Array((texts.joined(separator: output == .pretty ? "\n\n" : "\n") + "\n").utf8))
            try sink.finish()
            return .delivered
        } catch {
            if error.isReaderGone { return .delivered }
            surroundings.writeError("wharf: \(Plain.shown(error.message))\n")
            return .outputFailed
        }
    }
}
