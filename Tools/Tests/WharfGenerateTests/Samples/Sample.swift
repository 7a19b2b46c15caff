import WharfGenerate
import WharfJSON

/// Documents of one kind, with the options for their types.
struct Sample: Sendable, CustomStringConvertible {
    let name: String
    let texts: [String]
    var options = GenerationOptions()
    /// Whether a field is null in one place and absent in another, so that nil is written as
    /// absent.
    var mixesNullAndAbsence = false

    init(
        _ name: String, _ texts: String..., mixesNullAndAbsence: Bool = false,
        options: (inout GenerationOptions) -> Void = { _ in }
    ) {
        (self.name, self.texts, self.mixesNullAndAbsence) = (name, texts, mixesNullAndAbsence)
        options(&self.options)
    }

    var description: String { name }

    func values() throws -> [JSONValue] { try texts.map { try JSON.decode(JSONValue.self, from: $0) } }

    func source() throws -> String { try files()[0].text }

    func files() throws -> [GeneratedFile] { try Generator.files(for: values(), named: name, options) }

    static let all = scalars + objects + unions + names + written

    /// Random documents, the same in each run.
    static let random = (1...40).map { seed in
        var dice = RandomDocument(seed: UInt64(seed))
        return Sample("Random\(seed)", dice.document(), mixesNullAndAbsence: true)
    }
}
