import ChildPrograms
import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfJSON
import WharfMessaging

/// Messages that Wharf wrote, as Python's email package reads them.
@Suite(.enabled("it takes python3") { try await PythonReader.isThere.value })
struct PythonReaderTests {
    @Test func thousandRandomMessagesAreReadAsWritten() async throws {
        let messages = try AnyMessage.generator.samples(1_000, seed: 27)
        let read = try await PythonReader.read(try messages.map { try $0.encoded() })
        try #require(read.count == messages.count)
        let differences = zip(messages, read).flatMap { $1.differences(from: $0) }
        #expect(
            differences.isEmpty, "\(differences.count), among them: \(differences.prefix(3).joined(separator: "\n"))")
    }

    @Test func aMessageWithEverythingHasTheUsualStructure() async throws {
        var message = try EmailMessage.lunch
        message.content = EmailContent(
            html: #"<p>At noon?</p><img src="cid:map@example.com">"#,
            attachments: [
                EmailAttachment("map.png", type: "image/png", [1, 2, 3], contentID: "map@example.com"),
                EmailAttachment("Menü.pdf", type: "application/pdf", Array(repeating: 7, count: 500)),
            ],
            cc: [Mailbox(try EmailAddress("cc@example.com"), name: "Çe")],
            bcc: [Mailbox(try EmailAddress("bcc@example.com"), name: "secret")])
        let bytes = try message.encoded()
        let read = try #require(try await PythonReader.read([bytes]).first)
        #expect(read.differences(from: message).isEmpty, "\(read.differences(from: message))")
        #expect(
            read.value["shape"]
                == ["mixed", ["alternative", "text/plain", ["related", "text/html", "image/png"]], "application/pdf"])
        #expect(!String(decoding: bytes, as: UTF8.self).contains("bcc@example.com"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
        #expect(message.recipients.map(\.description) == ["ada@example.com", "cc@example.com", "bcc@example.com"])
    }

    @Test(arguments: ["--=_mixed", "--=_alternative--", "a\n--=_mixed--\nb", "--=_related\n\n"])
    func aTextLikeABoundaryIsReadAsWritten(text: String) async throws {
        var message = try EmailMessage.lunch
        message.text = text
        message.content.html = text
        message.content.attachments = [EmailAttachment("x", type: "text/plain", Array(text.utf8))]
        let read = try #require(try await PythonReader.read([try message.encoded()]).first)
        #expect(read.differences(from: message).isEmpty, "\(read.differences(from: message))")
    }
}

/// Runs `smtp/reader.py` with the Python that CI names, or with the system's.
enum PythonReader {
    private static let python = ProcessInfo.processInfo.environment["WHARF_PYTHON"] ?? "python3"

    static let isThere = Task { try await RunningProgram.output(of: [python, "--version"]).status == 0 }

    static func read(_ messages: [[UInt8]]) async throws -> [ReadMessage] {
        let folder = try TemporaryFolder()
        let lines = messages.map { Data($0).base64EncodedString() + "\n" }.joined()
        try lines.write(toFile: "\(folder.path)/messages", atomically: true, encoding: .utf8)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../smtp/reader.py")
        let output = try await RunningProgram.output(
            of: [python, "-B", script.standardizedFileURL.path, "\(folder.path)/messages"])
        try require(output.status == 0, "Python ended with \(output.status): \(output.text.suffix(2_000))")
        return try output.text.split(separator: "\n").map {
            ReadMessage(value: try JSON.decode(JSONValue.self, from: String($0)))
        }
    }
}
