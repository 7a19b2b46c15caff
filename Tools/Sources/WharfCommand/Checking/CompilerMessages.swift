/// The compiler's messages about a check program, in terms of the user's input.
struct CompilerMessages {
    /// The messages about the user's files, unchanged.
    private(set) var ofSources: [String] = []
    /// Whether one of these is an error.
    private(set) var hasErrorOfSources = false
    /// The messages about the command line.
    private(set) var ofOptions: [String] = []

    /// - Parameters:
    ///   - type: the argument of `--type`.
    ///   - hidden: the folders of files that are not the user's.
    init(_ log: String, type: String, hiding hidden: [String]) {
        // A message is its first line and the source excerpt after it.
        var isHidden = false
        var consequences: [String] = []
        for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
            if let message = Message(line) {
                let part = CheckedModule.Part(rawValue: message.file)
                isHidden = part != nil || hidden.contains { message.file.hasPrefix($0 + "/") }
                if !isHidden, message.isError { hasErrorOfSources = true }
                if let part, message.isError {
                    let text = Self.described(part, message.text, type)
                    if part == .check {
                        consequences.append(text)
                    } else if !ofOptions.contains(text) {
                        ofOptions.append(text)
                    }
                }
            }
            if !isHidden { ofSources.append(String(line)) }
        }
        // These errors follow from an error in the type itself or in a file, so they count only
        // without one.
        if ofOptions.isEmpty, !hasErrorOfSources { ofOptions = Array(consequences.prefix(1)) }
        while ofSources.last?.isEmpty == true { ofSources.removeLast() }
        // A footnote alone belongs to a message that was removed.
        if ofSources.allSatisfy({ $0.isEmpty || $0.hasPrefix("[#") }) { ofSources = [] }
    }

    private static func described(_ part: CheckedModule.Part, _ text: String, _ type: String) -> String {
        // Swift prints an alias with its type: 'Alias' (aka 'Name').
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
