import Testing

@testable import WharfCommand

struct ManualPageTests {
    @Test func manualHasCommandsWithOptionsAndExitCodes() async throws {
        let page = try await Session().run(["manual"])
        #expect(page.status == .delivered)
        let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
        for command in [
            "GET", "SERVE", "CACHE", "CACHE PRUNE", "OUTBOX", "OUTBOX LS", "OUTBOX DRAIN", "GENERATE", "CHECK",
        ] {
            #expect(lines.contains { $0 == ".SH \"WHARF \(command)\"" }, "\(command)")
        }
        for option in ["\\-\\-sources <folder>", "\\-o, \\-\\-output <file>", "\\-\\-print", "<file|url|\\->"] {
            #expect(lines.contains { $0 == ".B \(option)" }, "\(option)")
        }
        #expect(lines.contains { $0.hasPrefix("  69   there is no Swift toolchain") })
        #expect(!page.text.contains("manual\\"))
    }

    @Test func manualIsMadeFromTheDescriptionOfAnotherTool() async throws {
        let description = """
            {"serializationVersion": 0, "command": {"commandName": "note", "abstract": "Takes notes.", "shouldDisplay": true,
             "subcommands": [{"commandName": "add", "abstract": "Add one.", "shouldDisplay": true, "arguments": []}],
             "arguments": []}}
            """
        let page = try await Session().run(["manual", "--of-input"], description)
        #expect(page.status == .delivered)
        #expect(page.text.hasPrefix(".TH NOTE 1 "))
        #expect(page.text.contains("\n.SH \"NOTE ADD\"\n"))
    }

    @Test func manualTextContainsNoFormatterCommand() throws {
        let macros: Set<Substring> = [
            ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".RI", ".nf", ".fi", ".sp",
        ]
        for line in try ManualPage(of: ManualPage.ownDescription).text.split(separator: "\n") {
            if line.hasPrefix(".") { #expect(macros.contains(line.prefix { $0 != " " }), "\(line)") }
            #expect(!line.hasPrefix("'"), "\(line)")
            let escapes = line.replacing("\\-", with: "").replacing("\\e", with: "").replacing("\\&", with: "")
            #expect(!escapes.contains("\\"), "\(line)")
        }
    }
}
