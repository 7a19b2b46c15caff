/// What a compiler has said about a check program, in terms of what the user wrote.
struct CompilerMessages {
    /// As they came, about the user's own files.
    private(set) var ofSources: [String] = []
    /// One of these is an error.
    private(set) var hasErrorOfSources = false
    /// About the command line.
    private(set) var ofOptions: [String] = []

    /// - Parameters:
    ///   - type: what stands behind `--type`.
    ///   - hidden: folders of files that are not the user's.
    init(_ log: String, type: String, hiding hidden: [String]) {
        // A message is its first line and the piece of the file that follows.
        var isHidden = false
        var consequences: [String] = []
        for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
            if let message = Message(line) {
                let part = CheckedModule.Part(rawValue: message.file)
                isHidden = part != nil || hidden.contains { message.file.hasPrefix($0 + "/") }
                if !isHidden, message.isError { hasErrorOfSources = true }
                if let part, message.isError {
                    let text = Self.told(part, message.text, type)
                    if part == .check {
                        consequences.append(text)
                    } else if !ofOptions.contains(text) {
                        ofOptions.append(text)
                    }
                }
            }
            if !isHidden { ofSources.append(String(line)) }
        }
        // Where the type itself is wrong, or a file, nothing can be done with the type either.
        if ofOptions.isEmpty, !hasErrorOfSources { ofOptions = Array(consequences.prefix(1)) }
        while ofSources.last?.isEmpty == true { ofSources.removeLast() }
        // A footnote says more about a message that may be gone.
        if ofSources.allSatisfy({ $0.isEmpty || $0.hasPrefix("[#") }) { ofSources = [] }
    }

    private static func told(_ part: CheckedModule.Part, _ text: String, _ type: String) -> String {
        // Swift names an alias with what it stands for: 'Alias' (aka 'Name').
        let text = text.replacing("'\(CheckedModule.type)' (aka '\(type)')", with: "'\(type)'")
            .replacing(CheckedModule.type, with: type)
        switch part {
        case .rules where text.hasPrefix("cannot find 'rules'"):
            return "--rules: expected let rules: [Rule<\(type)>] in the file, found no rules"
        case .decoder where text.hasPrefix("cannot find 'decoder'"):
            return "--decoder: expected let decoder: JSONDecoder in the file, found no decoder"
        case .check where text.contains("conform to") || text.hasPrefix("no exact matches"):
            return "--type: expected a type that is Decodable, or WharfJSON's JSONDecodable, found '\(type)'"
        case .check: return "--type: \(text)"
        default: return "\(part.rawValue): \(text)"
        }
    }

    /// The first line of a message: `file:line:column: error: text`.
    private struct Message {
        let file: String
        let text: String
        let isError: Bool

        init?(_ line: Substring) {
            let pattern = /^(?<file>.+?):[0-9]+:[0-9]+: (?<kind>error|warning|note|remark): (?<text>.*)$/
            guard let match = line.wholeMatch(of: pattern) else { return nil }
            (file, text) = (String(match.output.file), String(match.output.text))
            isError = match.output.kind == "error"
        }
    }
}
