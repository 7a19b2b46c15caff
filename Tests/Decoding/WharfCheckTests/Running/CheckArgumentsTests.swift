import Testing

@testable import WharfCheck

@Suite struct CheckArgumentsTests {
    @Test func everyArgumentIsUnderstood() throws {
        let arguments = try CheckArguments([
            "--print", "--format", "sarif", "--strict", "--ignored-keys", "--lines", "--max-errors", "7", "--progress",
            "--type-name", "Feed", "--name", "x", "a.json", "-", "--", "--b",
        ])
        #expect(arguments.options.printsValues && arguments.options.isStrict && arguments.options.findsIgnoredKeys)
        #expect(arguments.format == .sarif && arguments.readsLines && arguments.showsProgress)
        #expect(arguments.maximumFindings == 7 && arguments.typeName == "Feed")
        #expect(arguments.inputs.map(\.path) == ["a.json", nil, "--b"])
        #expect(arguments.inputs.map(\.name) == ["x", "standard input", "--b"])
    }

    @Test func withoutInputsStandardInputIsRead() throws {
        #expect(try CheckArguments([]).inputs.map(\.path) == [nil])
    }

    @Test(arguments: [
        (["--format", "xml"], "--format: expected one of text, json, sarif, junit, found 'xml'"),
        (["--format"], "--format: expected a value, found none"),
        (["--max-errors", "0"], "--max-errors: expected a whole number from 1, found '0'"),
        (["--name", "x"], "--name: expected a file after 'x', found none"),
        (["-", "-"], "expected - once, found it several times; standard input can be read once"),
    ])
    func aWrongArgumentSaysWhatWasExpected(_ arguments: [String], _ message: String) {
        let wrong = #expect(throws: CheckArguments.InvalidArguments.self) { try CheckArguments(arguments) }
        #expect(wrong?.message == message)
    }

    @Test func anUnknownOptionShowsTheOthers() {
        let wrong = #expect(throws: CheckArguments.InvalidArguments.self) { try CheckArguments(["--jsn"]) }
        #expect(wrong?.message.hasPrefix("expected an option or a file, found '--jsn'\nusage: ") == true)
    }
}
