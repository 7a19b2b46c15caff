import Foundation
import Testing
import Wharf
import WharfTestServer

@testable import WharfCommand

struct GenerateTests {
    private let session: Session

    init() throws { session = try Session() }

    private func file(_ name: String, _ text: String) throws -> String {
        try session.folder.write(text, to: name)
        return session.folder.path(name)
    }

    @Test func aFileBecomesTypes() async throws {
        let path = try file("feed.json", #"{"posts": [{"title": "a", "tags": []}]}"#)
        let result = await session.run(["generate", path, "--name", "feed"])
        #expect(result.status == .delivered)
        #expect(result.error.isEmpty)
        #expect(result.text.contains("struct Feed: Codable, Hashable, Sendable {\n    let posts: [Post]\n}\n"))
    }

    @Test func standardInputIsReadWithoutAFile() async {
        let result = await session.run(["generate", "--name", "Feed"], #"{"id": 1}"#)
        #expect(result.text == "struct Feed: Codable, Hashable, Sendable {\n    let id: Int\n}\n")
    }

    @Test func typesAreInferredFromAllSamples() async throws {
        let (one, other) = (try file("1.json", #"{"id": 1, "name": "a"}"#), try file("2.json", #"{"id": 2.5}"#))
        let result = await session.run(["generate", one, other, "-", "--name", "User"], #"{"id": 3, "name": "b"}"#)
        #expect(result.text.contains("let id: Double"))
        #expect(result.text.contains("let name: String?"))
    }

    @Test func aURLIsReadThroughTheCache() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/1", TestResponse.text(#"{"id": 1}"#).maxAge(0))
            let arguments = [
                "generate", "--cache", session.folder.path("cache.sqlite"), "\(server.baseURL)/users/1", "--name",
                "User",
            ]
            let first = await session.run(arguments)
            #expect(first.status == .delivered)
            #expect(first.error.isEmpty)
            await server.stop()
            let second = await session.run(arguments)
            #expect(second.status == .delivered)
            #expect(second.text == first.text)
            #expect(second.error.contains("is the cached answer"), "\(second.error)")
        }
    }

    @Test func serviceIsRequestedAgainDespiteAFreshAnswer() async throws {
        try await TestServer.run { server in
            let arguments = ["generate", "--cache", session.folder.path("cache.sqlite"), "\(server.baseURL)/users/1"]
            server.route(.get, "/users/1", TestResponse.text(#"{"id": 1}"#).maxAge(60))
            #expect(await session.run(arguments + ["--name", "User"]).text.contains("id: Int"))
            server.route(.get, "/users/1", TestResponse.text(#"{"id": "1"}"#).maxAge(60))
            #expect(await session.run(arguments + ["--name", "User"]).text.contains("id: String"))
        }
    }

    @Test func anErrorStatusIsNoSample() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/1", .status(.notFound))
            let result = await session.run([
                "generate", "--cache", session.folder.path("cache.sqlite"), "\(server.baseURL)/users/1", "--name",
                "User",
            ])
            #expect(result.status == .inputNotRead)
            #expect(result.output.isEmpty)
            #expect(result.error.contains("404"), "\(result.error)")
        }
    }

    @Test func invalidJSONIsReportedWithItsLocation() async throws {
        let path = try file("feed.json", "{\n  \"a\": 1,\n}")
        let result = await session.run(["generate", path, "--name", "Feed"])
        #expect(result.status == .payloadErrors)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("\(path):3:1: expected a key after ',', found '}'"), "\(result.error)")
    }

    @Test func directOptionGeneratesWharfJSONTypes() async {
        let result = await session.run(["generate", "--name", "Feed", "--direct"], #"{"id": 1}"#)
        #expect(result.status == .delivered)
        #expect(result.text.hasPrefix("import WharfJSON\n\nstruct Feed: Hashable, Sendable {\n    let id: Int\n}\n"))
        let refused = await session.run(["generate", "--name", "Feed", "--direct"], #"{"\"": 1}"#)
        #expect(refused.status == .payloadErrors)
        #expect(refused.error.contains("expected keys without quotes"), "\(refused.error)")
    }

    @Test(arguments: ["nowhere.json", "."])
    func unreadableInputIsReported(name: String) async {
        let path = session.folder.path(name)
        let result = await session.run(["generate", path, "--name", "Feed"])
        #expect(result.status == .inputNotRead)
        #expect(result.error.contains("'\(path)' could not be read: "), "\(result.error)")
    }

    @Test func outputFolderGetsAFileNamedAfterTheType() async throws {
        let result = await session.run(
            ["generate", "--name", "blog feed", "--prefix", "ACME", "-o", session.folder.path("")], #"{"id": 1}"#)
        #expect(result.status == .delivered)
        #expect(result.output.isEmpty)
        let text = try String(contentsOfFile: session.folder.path("ACMEBlogFeed.swift"), encoding: .utf8)
        #expect(text.contains("struct ACMEBlogFeed"))
    }

    @Test func severalPartsAreFilesOfAFolder() async throws {
        let sample = #"[{"id": 1, "name": "a"}]"#
        let folder = session.folder.path("made/here")
        let result = await session.run(
            ["generate", "--name", "Users", "--repository", "--tests", "-o", folder + "/"], sample)
        #expect(result.status == .delivered, "\(result.error)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                == ["Users.swift", "UsersPayload.swift", "UsersPayloadTests.swift", "WharfStack+Users.swift"])
        let printed = await session.run(["generate", "--name", "Users", "--domain"], sample)
        #expect(printed.text.hasPrefix("// UsersPayload.swift\n\ntypealias UsersPayload = [UserPayload]\n"))
        #expect(printed.text.contains("\n\n// Users.swift\n\ntypealias Users = [User]\n"))
    }

    @Test func severalPartsForOneFileAreRefused() async throws {
        let path = session.folder.path("Users.swift")
        let result = await session.run(["generate", "--name", "Users", "--domain", "-o", path], "[]")
        #expect(result.status == .outputFailed)
        #expect(result.error.contains("-o: expected a folder for UsersPayload.swift, Users.swift"), "\(result.error)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func repositoryNeedsModelsWithAnID() async {
        let result = await session.run(["generate", "--name", "Users", "--repository"], #"[{"name": "a"}]"#)
        #expect(result.status == .payloadErrors)
        #expect(result.error.contains("--repository: expected a list of objects with an id"), "\(result.error)")
    }

    @Test func failedGenerationKeepsTheOutputFile() async throws {
        let path = try file("Feed.swift", "mine")
        let result = await session.run(["generate", "--name", "Feed", "-o", path], "{")
        #expect(result.status == .payloadErrors)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test(arguments: [
        ([], "expected --name, found none; try wharf generate feed.json --name Feed"),
        (["--name", "42"], "--name: expected a name with a letter, found '42'"),
        (["--name", "A", "--access", "open"], "--access: expected one of internal, package, public, found 'open'"),
        (["--name", "A", "--codable", "--direct"], "expected --codable or --direct, found both"),
        (["--name", "A", "--class", "--mutable"], "add --no-sendable"),
        (["--name", "A", "--repository", "--no-sendable"], "expected --repository or --no-sendable, found both"),
        (["--name", "A", "--prefix", "-"], "--prefix: expected a capital"),
        (["--name", "A", "-", "-"], "expected - once"),
        (
            ["--name", "A", "--discriminator", "t", "--no-unions"],
            "expected --discriminator or --no-unions"
        ),
        (["--name", "A", "-o", ""], "-o: expected the name of a file or folder"),
    ])
    func usageErrorNamesTheExpectation(arguments: [String], expected: String) async {
        let result = await session.run(["generate"] + arguments, "{}")
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains(expected), "\(result.error)")
    }
}
