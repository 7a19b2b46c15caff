/// The parsed arguments of one run.
struct CheckArguments: Sendable, Equatable {
    enum Format: String, CaseIterable { case text, json, sarif, junit }

    struct Input: Sendable, Equatable {
        /// nil: standard input.
        var path: String?
        /// The name in reports.
        var name: String
        /// The reason that the caller could not read the input (`--unread`).
        var failure: String?
    }

    struct InvalidArguments: Error {
        let message: String
    }

    var options = CheckOptions()
    var format = Format.text
    /// Whether each line is a document.
    var readsLines = false
    /// The number of findings to report; further ones are only counted.
    var maximumFindings = Int.max
    var showsProgress = false
    var typeName: String?
    var inputs: [Input] = []

    /// - Parameter arguments: the arguments without the program's name.
    init(_ arguments: some Sequence<String>) throws(InvalidArguments) {
        var rest = ArraySlice(Array(arguments))
        var name: String?
        var onlyInputs = false
        while let argument = rest.popFirst() {
            if onlyInputs || argument == "-" || !argument.hasPrefix("-") {
                inputs.append(Self.input(argument, &name))
                continue
            }
            switch argument {
            case "--": onlyInputs = true
            case "--print": options.printsValues = true
            case "--strict": options.isStrict = true
            case "--ignored-keys": options.findsIgnoredKeys = true
            case "--lines": readsLines = true
            case "--progress": showsProgress = true
            case "--name": name = try Self.value(of: argument, &rest)
            case "--unread":
                let input = try Self.value(of: argument, &rest)
                inputs.append(Input(name: input, failure: try Self.value(of: argument, &rest)))
            case "--type-name": typeName = try Self.value(of: argument, &rest)
            case "--format":
                let text = try Self.value(of: argument, &rest)
                guard let format = Format(rawValue: text) else {
                    let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
                    throw InvalidArguments(message: "--format: expected one of \(known), found '\(text)'")
                }
                self.format = format
            case "--max-errors":
                let text = try Self.value(of: argument, &rest)
                guard let maximum = Int(text), maximum > 0 else {
                    throw InvalidArguments(message: "--max-errors: expected a whole number from 1, found '\(text)'")
                }
                maximumFindings = maximum
            default:
                throw InvalidArguments(message: "expected an option or a file, found '\(argument)'\n\(Self.usage)")
            }
        }
        // A name applies to the input after it.
        if let name { throw InvalidArguments(message: "--name: expected a file after '\(name)', found none") }
        if inputs.isEmpty { inputs = [Self.input("-", &name)] }
        guard inputs.count(where: { $0.path == nil && $0.failure == nil }) < 2 else {
            throw InvalidArguments(message: "expected - once, found it several times; standard input can be read once")
        }
    }

    static let usage = """
        usage: [--print] [--format text|json|sarif|junit] [--strict] [--ignored-keys] [--lines] [--max-errors N]
               [--type-name TEXT] [--progress] [[--name TEXT] FILE|-|--unread NAME REASON]…
        """

    private static func input(_ argument: String, _ name: inout String?) -> Input {
        defer { name = nil }
        return argument == "-"
            ? Input(path: nil, name: name ?? "standard input") : Input(path: argument, name: name ?? argument)
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(InvalidArguments) -> String {
        guard let value = rest.popFirst() else {
            throw InvalidArguments(message: "\(option): expected a value, found none")
        }
        return value
    }
}
