import Foundation
import Subprocess
import Testing
import WharfGenerate
import WharfJSON

/// Round trip of every sample.
///
/// The types of all samples are compiled in one build. The samples are decoded and encoded, and the
/// result is compared with them.
struct RoundTripTests {
    @Test(arguments: GenerationOptions.Form.allCases)
    func everySampleRoundTripsThroughItsTypes(form: GenerationOptions.Form) async throws {
        let samples = (Sample.all + Sample.random).filter { form == .codable || !$0.isBeyondDirect }
        let batch = try Batch(samples, form)
        defer { batch.remove() }
        try batch.write()
        try await batch.compile()
        let lines = try await batch.run()
        try #require(lines.count == samples.reduce(0) { $0 + $1.texts.count })
        var rest = lines[...]
        for sample in samples {
            for text in sample.texts {
                let line = rest.removeFirst()
                let (found, expected) = (
                    try JSON.decode(JSONValue.self, from: line), try JSON.decode(JSONValue.self, from: text)
                )
                #expect(
                    found.isSame(as: expected, takingNullForAbsence: sample.mixesNullAndAbsence),
                    "\(sample): \(line) for \(text)")
            }
        }
    }
}

/// The sources of all samples in one module, with a program that decodes and encodes each.
private struct Batch {
    private let folder: URL
    private let samples: [Sample]

    private let form: GenerationOptions.Form

    init(_ samples: [Sample], _ form: GenerationOptions.Form) throws {
        (self.samples, self.form) = (samples, form)
        folder = FileManager.default.temporaryDirectory.appending(path: "wharf-generate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(folder.path) stays: \(error)") }
    }

    func write() throws {
        var main = form == .codable ? "import Foundation\n" : "import WharfJSON\nimport WharfJSONFoundation\n"
        let (constraint, decode, encode) =
            form == .codable
            ? ("Codable", "JSONDecoder().decode(type, from: Data(text.utf8))", "JSONEncoder().encode(value)")
            : ("JSONCodable", "JSON.decode(type, from: text)", "JSON.encode(value)")
        main += """
            func check<Value: \(constraint)>(_ type: Value.Type, _ text: String, _ through: (Value) -> Value) {
                do {
                    let value = through(try \(decode))
                    print(String(decoding: try \(encode), as: UTF8.self))
                } catch { print("\\"\\("\\(type): \\(error)".filter { $0 != "\\"" && $0 != "\\\\" && $0 != "\\n" })\\"") }
            }

            """
        for (index, sample) in samples.enumerated() {
            var sample = sample
            // All types are in one module, so they need distinct prefixes.
            sample.options.form = form
            sample.options.prefix = "S\(index)" + sample.options.prefix
            sample.options.hasDomain = true
            for (number, file) in try sample.files().enumerated() {
                let place = folder.appending(path: "S\(index)-\(number).swift")
                try file.text.write(to: place, atomically: false, encoding: .utf8)
            }
            let name = try sample.rootName()
            for text in sample.texts { main += "check(\(name).self, #\"\(text)\"#) { \(try sample.wayThere) }\n" }
        }
        try main.write(to: folder.appending(path: "main.swift"), atomically: false, encoding: .utf8)
    }

    func compile() async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let library = form == .direct ? try Self.library() : []
        let output = try await Self.output(
            "swiftc",
            ["-swift-version", "6", "-warnings-as-errors", "-package-name", "batch", "-Onone", "-o", "batch"]
                + library + files,
            in: folder)
        try #require(output.status == 0, "\(output.text.prefix(6_000))")
    }

    /// The flags for WharfJSON as it was built for these tests.
    private static func library() throws -> [String] {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let build = URL(filePath: bundle).deletingLastPathComponent()
        var arguments = ["-I", build.appending(path: "Modules").path]
        for module in ["WharfErrors", "WharfJSON", "WharfJSONFoundation"] {
            let objects = build.appending(path: "\(module).build")
            arguments += try FileManager.default.contentsOfDirectory(atPath: objects.path).sorted()
                .filter { $0.hasSuffix(".o") }.map { objects.appending(path: $0).path }
        }
        return arguments
    }

    func run() async throws -> [String] {
        let output = try await Self.output(folder.appending(path: "batch").path, [], in: folder)
        try #require(output.status == 0, "\(output.text)")
        return output.text.split(separator: "\n").map(String.init)
    }

    private static func output(
        _ program: String, _ arguments: [String], in folder: URL
    ) async throws -> (status: Int32, text: String) {
        // The shell changes to the folder, since a path would need a type of swift-system.
        let command = ["-c", #"cd "$0" && exec "$@" 2>&1"#, folder.path, program] + arguments
        let ended = try await Subprocess.run(
            .name("sh"), arguments: Arguments(command), input: .none, output: .string(limit: 1 << 24), error: .discarded
        )
        guard case .exited(let status) = ended.terminationStatus else {
            return (-1, "\(program) ended: \(ended.terminationStatus)")
        }
        return (status, ended.standardOutput)
    }
}

extension Sample {
    /// Whether its keys need escapes, or are too many.
    fileprivate var isBeyondDirect: Bool { ["Signs", "ManyFields"].contains(name) }

    /// The conversion to the domain types and back.
    fileprivate var wayThere: String {
        get throws {
            let name = try rootName()
            guard try source().contains("typealias \(name) = ") else { return "\(name)(\(name.dropLast(7))($0))" }
            return "$0"
        }
    }

    fileprivate func rootName() throws -> String {
        let first = try source().split(separator: "\n").first { line in
            ["struct ", "enum ", "class ", "typealias "].contains { line.contains($0) }
        }
        let words = try #require(first).split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let place = try #require(words.firstIndex { ["struct", "enum", "class", "typealias"].contains($0) })
        return String(words[place + 1])
    }
}

extension JSONValue {
    /// Compares numbers by value, and keys in any order.
    func isSame(as other: JSONValue, takingNullForAbsence isLoose: Bool) -> Bool {
        switch (content, other.content) {
        case (.null, .null): return true
        case (.bool(let a), .bool(let b)): return a == b
        case (.string(let a), .string(let b)): return a.unicodeScalars.elementsEqual(b.unicodeScalars)
        case (.number(let a), .number(let b)):
            if let x = Decimal(string: a.text), let y = Decimal(string: b.text), x == y { return true }
            // The number is beyond `Decimal`, or is a `Double` printed with 17 digits.
            let digits = b.text.count { $0.isNumber }
            return (digits < 16 || digits == 17) && a.double == b.double
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1, takingNullForAbsence: isLoose) }
        case (.object(let a), .object(let b)):
            let keys = Set(a.map(\.key)).union(b.map(\.key))
            return keys.allSatisfy { key in
                let (mine, others) = (self[key], other[key])
                guard let mine, let others else {
                    return isLoose
                        && (mine ?? others).map { if case .null = $0.content { true } else { false } } ?? false
                }
                return mine.isSame(as: others, takingNullForAbsence: isLoose)
            }
        default: return false
        }
    }
}
