import Foundation
import Wharf
import WharfGenerate

/// One `wharf generate`, from its plan to its exit status.
struct GenerateRun {
    let plan: GeneratePlan
    let reader: SampleReader
    let surroundings: Surroundings

    func run() async -> ProcessStatus {
        do throws(SampleFailure) {
            var samples: [JSONValue] = []
            for source in plan.sources { samples.append(try parse(await reader.read(source), of: source)) }
            return write(Array(try source(samples).utf8))
        } catch {
            surroundings.writeError("wharf: \(Plain.shownLines(error.message))\n")
            return error.status
        }
    }

    private func source(_ samples: [JSONValue]) throws(SampleFailure) -> String {
        do throws(GenerationError) {
            return try Generator.source(for: samples, named: plan.name, plan.options)
        } catch {
            throw SampleFailure(message: error.message, status: .payloadErrors)
        }
    }

    private func parse(_ bytes: [UInt8], of source: SampleSource) throws(SampleFailure) -> JSONValue {
        do throws(JSONError) {
            return try JSON.decode(JSONValue.self, from: JSONBytes(bytes))
        } catch {
            let lines = error.issues.map { "\(source.name):\($0.description)" }
            throw SampleFailure(
                message: "expected JSON\n" + lines.joined(separator: "\n"), status: .payloadErrors)
        }
    }

    private func write(_ bytes: [UInt8]) -> ProcessStatus {
        do throws(OutputFailure) {
            let sink = try Sink(
                plan.output.map(file),
                standardOutput: { bytes throws(OutputFailure) in
                    do { try surroundings.writeOutput(bytes) } catch let failure as OutputFailure {
                        throw failure
                    } catch {
                        throw OutputFailure("standard output could not be written: \(error)")
                    }
                }, scratch: surroundings.scratch)
            do throws(OutputFailure) {
                try sink.write(bytes)
                try sink.finish()
            } catch {
                sink.abandon()
                throw error
            }
            return .delivered
        } catch {
            if error.isReaderGone, plan.output == nil { return .delivered }
            surroundings.writeError("wharf: \(Plain.shown(error.message))\n")
            return .outputFailed
        }
    }

    /// In a folder the file has the document's name.
    private func file(_ output: String) -> String {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard output.hasSuffix("/") || (exists && isFolder.boolValue) else { return output }
        return output + (output.hasSuffix("/") ? "" : "/") + Generator.typeName(plan.name, plan.options) + ".swift"
    }
}
