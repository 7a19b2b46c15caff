import ArgumentParser
import Wharf
import WharfJSON

/// A manual page of section 1 in man(7) format, made from the help texts of a tool.
struct ManualPage {
    private(set) var text = ""

    /// - Parameter description: the tool's output for `--experimental-dump-help`.
    /// - Throws: `DecodingError` if argument-parser's description has another format than expected.
    init(of description: [UInt8]) throws {
        let tool = try CodableJSONDecoder().decode(Described.self, from: description).command
        let name = Self.plain(tool.name)
        lines(
            #".TH \#(name.uppercased()) 1 "" "wharf \#(Version.number)" "User Commands""#, ".SH NAME",
            "\(name) \\- \(Self.plain(tool.abstract))",
            ".SH SYNOPSIS", ".B \(name)", ".I subcommand", ".RI [ options ]", ".SH DESCRIPTION",
            Self.plain(tool.abstract), ".PP", "The subcommands, each described below:")
        for command in tool.shown { item("\(tool.name) \(command.name)", command.abstract) }
        discussion(tool.discussion, heading: ".SH")
        for command in tool.shown { section(command, path: "\(tool.name) \(command.name)") }
    }

    private mutating func section(_ command: Described.Command, path: String) {
        lines(".SH \"\(Self.plain(path).uppercased())\"", Self.plain(command.abstract))
        let places = command.arguments.filter { $0.kind == "positional" }
        let synopsis =
            [path] + (command.shown.isEmpty ? [] : ["<subcommand>"])
            + places.map { "[<\($0.valueName ?? "")>]\($0.isRepeating ? " ..." : "")" } + ["[options]"]
        lines(".nf", ".B \(Self.plain(synopsis.joined(separator: " ")))", ".fi")
        for argument in command.arguments where argument.isDescribed { item(argument.term, argument.explanation) }
        discussion(command.discussion, heading: ".SS")
        for nested in command.shown { section(nested, path: "\(path) \(nested.name)") }
    }

    private mutating func item(_ term: String, _ explanation: String) {
        lines(".TP", ".B \(Self.plain(term))", Self.plain(explanation))
    }

    /// Writes paragraphs, and literal lines under headings in capitals.
    private mutating func discussion(_ text: String?, heading: String) {
        guard let text else { return }
        var isLiteral = false
        var gap: String? = ".PP"
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasSuffix(":"), line.dropLast().allSatisfy({ $0.isUppercase || $0 == " " }), !line.hasPrefix(" ") {
                lines(isLiteral ? ".fi" : "", "\(heading) \"\(Self.plain(line.dropLast()))\"", ".nf")
                (isLiteral, gap) = (true, nil)
            } else if line.isEmpty {
                // A heading already adds a gap before it.
                gap = isLiteral ? ".sp" : ".PP"
            } else {
                lines(gap ?? "", Self.plain(line))
                gap = nil
            }
        }
        lines(isLiteral ? ".fi" : "")
    }

    private mutating func lines(_ lines: String...) {
        for line in lines where !line.isEmpty { text += line + "\n" }
    }

    /// Returns text without special meaning to roff.
    private static func plain(_ text: some StringProtocol) -> String {
        let escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }

    /// The output of this tool for `--experimental-dump-help`.
    static var ownDescription: [UInt8] {
        do {
            _ = try RootCommand.parseAsRoot(["--experimental-dump-help"])
            return []
        } catch {
            return Array(RootCommand.fullMessage(for: error).utf8)
        }
    }
}

/// The format of argument-parser's `--experimental-dump-help`.
private struct Described: Decodable {
    struct Command: Decodable {
        let commandName: String
        let abstract: String
        let discussion: String?
        let arguments: [Argument]
        let subcommands: [Command]?
        let shouldDisplay: Bool

        var name: String { commandName }
        var shown: [Command] { (subcommands ?? []).filter { $0.shouldDisplay && $0.name != "help" } }
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let abstract: String?
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let isRepeating: Bool
        let shouldDisplay: Bool

        /// Version and help, which each command has, are left out.
        var isDescribed: Bool { shouldDisplay && valueName != "version" && valueName != "help" }

        var term: String {
            let value = kind == "flag" ? nil : valueName.map { "<\($0)>" }
            let names = (names ?? []).map(\.text).joined(separator: ", ")
            return [names, value ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        }

        var explanation: String { (abstract ?? "") + (defaultValue.map { " (default: \($0))" } ?? "") }
    }

    let command: Command
}
