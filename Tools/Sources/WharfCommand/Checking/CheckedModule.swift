/// The module of a check program: the user's files, and a main file.
struct CheckedModule: Sendable {
    /// The parts of the main file, named in compiler messages by their command line options.
    ///
    /// The user has not seen that file.
    enum Part: String, CaseIterable {
        case type = "--type"
        case rules = "--rules"
        case decoder = "--decoder"
        /// The call that combines the type with its decoder.
        case check = "--check"
    }

    /// The name, which precedes the type names in printed values.
    let name: String
    /// The text of the main file.
    let main: String

    /// - Parameters:
    ///   - folder: the user's folder as in the command line.
    ///   - type: an expression that names a type.
    ///   - constants: see ``SourceConstants``.
    init(folder: String, type: String, hasRules: Bool, hasDecoder: Bool, constants: [String]) {
        name = Self.identifier(folder)
        var lines = [Self.line(.check), "import WharfCheck", Self.line(.type), "typealias \(Self.type) = \(type)"]
        var arguments = "\(Self.type).self"
        if hasDecoder {
            lines += [Self.line(.decoder), "let WharfCheckDecoder__ = decoder"]
            arguments += ", decoder: WharfCheckDecoder__"
        }
        if hasRules {
            lines += [
                Self.line(.rules), "let WharfCheckRules__: [WharfCheck.Rule<\(Self.type)>] = rules",
            ]
            arguments += ", rules: WharfCheckRules__"
        }
        lines += [
            Self.line(.check), "@main enum WharfCheckMain__ {", "    static func main() async {",
            "        var check = WharfCheck.PayloadCheck(\(arguments))",
            "        check.constants = [\(constants.map(\.debugDescription).joined(separator: ", "))]",
            "        await check.main()", "    }", "}", "",
        ]
        main = lines.joined(separator: "\n")
    }

    /// The name of the type in compiler messages.
    static let type = "WharfCheckType__"

    private static func line(_ part: Part) -> String { "#sourceLocation(file: \"\(part.rawValue)\", line: 1)" }

    /// Returns the last component of the folder as an identifier.
    ///
    /// A name that another module has gets an underscore.
    private static func identifier(_ folder: String) -> String {
        var name = FilePath.name(of: folder)
        if [".", "..", ""].contains(name) { name = FilePath.name(of: FilePath.real(folder) ?? "") }
        var identifier = ""
        for character in name {
            let isPart = character.isASCII && (character.isLetter || character.isNumber)
            identifier.append(isPart ? character : "_")
        }
        if identifier.first.map({ !$0.isLetter && $0 != "_" }) ?? true { identifier = "_" + identifier }
        return taken.contains(identifier) || identifier.allSatisfy { $0 == "_" } ? "\(identifier)_" : identifier
    }

    /// The imported modules, and words that can't name a module.
    private static let taken: Set<String> = [
        "Swift", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Glibc", "Musl", "Darwin",
        "WharfErrors", "WharfJSON", "WharfJSONFoundation", "WharfCheck", "main",
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while",
        "Any", "as", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "_",
    ]
}
