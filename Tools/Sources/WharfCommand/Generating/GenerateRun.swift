import Foundation
import Wharf
import WharfGenerate
import WharfJSON

/// One `wharf generate`, from its plan to its exit status.
struct GenerateRun {
    let plan: GeneratePlan
    let reader: SampleReader
    let surroundings: Surroundings

    func run() async -> ProcessStatus {
        do throws(SampleFailure) {
            var samples: [JSONValue] = []
            for source in plan.sources { samples.append(try parse(await reader.read(source), of: source)) }
            return write(try files(samples))
        } catch {
            surroundings.writeError("wharf: \(Plain.shownLines(error.message))\n")
            return error.status
        }
    }

    private func files(_ samples: [JSONValue]) throws(SampleFailure) -> [GeneratedFile] {
        do throws(GenerationError) {
            return try Generator.files(for: samples, named: plan.name, plan.options)
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

    private func write(_ files: [GeneratedFile]) -> ProcessStatus {
        do throws(OutputFailure) {
            guard let output = plan.output else {
                // All files in sequence. If there are several, each is preceded by its name.
                let texts = files.map { (files.count > 1 ? "// \($0.name)\n\n" : "") + $0.text }
                try write(texts.joined(separator: "\n"), to: nil)
                return .delivered
            }
            guard isFolder(output) else {
                guard files.count == 1 else {
                    throw OutputFailure(
                        "-o: expected a folder for \(files.map(\.name).joined(separator: ", ")), found '\(output)'; end it "
                            + "with a slash")
                }
                try write(files[0].text, to: output)
                return .delivered
            }
            do { try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true) } catch {
                throw OutputFailure("the folder '\(output)' could not be created: \(error.localizedDescription)")
            }
            for file in files { try write(file.text, to: output + (output.hasSuffix("/") ? "" : "/") + file.name) }
            return .delivered
        } catch {
            if error.isReaderGone, plan.output == nil { return .delivered }
            surroundings.writeError("wharf: \(Plain.shown(error.message))\n")
            return .outputFailed
        }
    }

    /// - Parameter path: nil for standard output.
    private func write(_ text: String, to path: String?) throws(OutputFailure) {
        let sink = try Sink(path, in: surroundings)
        do throws(OutputFailure) {
            try sink.write(Array(text.utf8))
            try sink.finish()
        } catch {
            sink.abandon()
            throw error
        }
    }

    private func isFolder(_ output: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        return output.hasSuffix("/") || (exists && isFolder.boolValue)
    }
}
