import ArgumentParser

struct GraphQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graphql",
        abstract: "Check, minify and format files of GraphQL operations.",
        discussion: GraphQLHelp.text,
        subcommands: [GraphQLFormatCommand.self, GraphQLMinifyCommand.self, GraphQLCheckCommand.self]
    )
}

/// A subcommand of `wharf graphql`.
protocol GraphQLAction: ParsableCommand {
    var documents: GraphQLFiles { get }
    var output: GraphQLRun.Output { get }
}

struct GraphQLFormatCommand: GraphQLAction {
    static let configuration = CommandConfiguration(
        commandName: "format",
        abstract: "Print documents as graphql-js lays them out. Comments are not kept.",
        usage: "wharf graphql format [<file>|-] ..."
    )

    @OptionGroup var documents: GraphQLFiles
    var output: GraphQLRun.Output { .pretty }
}

struct GraphQLMinifyCommand: GraphQLAction {
    static let configuration = CommandConfiguration(
        commandName: "minify",
        abstract: "Print documents without the characters that servers ignore.",
        usage: "wharf graphql minify [<file>|-] ..."
    )

    @OptionGroup var documents: GraphQLFiles
    var output: GraphQLRun.Output { .minified }
}

struct GraphQLCheckCommand: GraphQLAction {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report files that are not GraphQL documents, and nothing for valid files.",
        usage: "wharf graphql check [<file>|-] ..."
    )

    @OptionGroup var documents: GraphQLFiles
    var output: GraphQLRun.Output { .none }
}

/// The input files of each subcommand of `wharf graphql`.
struct GraphQLFiles: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Files of operations and fragments; - for standard input, which is the default.",
            valueName: "file|-"))
    var names: [String] = []

    func validate() throws {
        guard names.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("expected - once, found it several times; standard input can be read once")
        }
    }

    var sources: [SampleSource] {
        names.isEmpty ? [.standardInput] : names.map { $0 == "-" ? .standardInput : .file($0) }
    }
}

enum GraphQLHelp {
    static let text = """
        The grammar is checked, not the types and fields of a service. Schemas are refused. Standard output has all \
        documents, or nothing if one of them is wrong. Standard error has a line for each wrong document: \
        file:line:column: message.

        EXAMPLES:
          wharf graphql check Sources/App/*.graphql
          wharf graphql minify film.graphql > film.min.graphql
          curl -s https://example.com/film.graphql | wharf graphql format

        EXIT CODES:
          0    all files are documents
          1    a file is not a document
          3    a file could not be read
          64   the command line is wrong
          74   the output could not be written
        """
}
