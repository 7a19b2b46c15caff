import Foundation
import Testing
import Wharf
import WharfTestServer

/// The built binary with real compilers.
struct CheckTests {
    private let app: CheckFolder

    init() throws { app = try CheckFolder() }

    private static let types = "--sources WebService --type BlogPostsRequest "

    @Test(arguments: [
        (#"{ "posts" : [] }"#, "BlogPostsRequest(posts: [])\n"),
        (
            #"{ "posts" : [ { "title" : "Some post", "tags" : [] } ] }"#,
            #"BlogPostsRequest(posts: [WebService.BlogPost(title: "Some post", tags: [])])"# + "\n"
        ),
        (
            #"{ "posts" : [ { "title" : "Some post", "tags" : [ { "value" : "cool" } ] } ] }"#,
            #"BlogPostsRequest(posts: [WebService.BlogPost(title: "Some post", tags: ["cool"])])"# + "\n"
        ),
    ])
    func decodedValueIsPrinted(payload: String, expected: String) async throws {
        let result = try await app.check(Self.types + "--print", payload: payload)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.isEmpty)
        #expect(result.text.contains(expected), "\(result.text)")
    }

    @Test(arguments: [
        ("{}", [#"standard input:1:1: posts: expected a value for the key "posts", found an object without it"#]),
        (
            #"{ "posts" : [ { } ] }"#,
            [
                #"standard input:1:15: posts[0].title: expected a value for the key "title", found an object without it"#,
                #"standard input:1:15: posts[0].tags: expected a value for the key "tags", found an object without it"#,
            ]
        ),
        (
            #"{ "posts" : [ { "title" : "Some post" } ] }"#,
            [#"standard input:1:15: posts[0].tags: expected a value for the key "tags", found an object without it"#]
        ),
    ])
    func everyDecodingErrorIsReported(payload: String, expected: [String]) async throws {
        let result = try await app.check(Self.types, payload: payload)
        #expect(result.status == 1, "\(result.error)")
        for line in expected { #expect(result.text.contains(line + "\n"), "\(result.text)") }
    }

    @Test(arguments: ["BlogPost", "[BlogPost]", "[String: BlogPost]", "WebService.BlogPost", "BlogPost?"])
    func typeOptionAcceptsTypeExpressions(type: String) async throws {
        let post = #"{ "title" : "Some post", "tags" : [] }"#
        let payload =
            switch type.first {
            case "[": type.contains(":") ? #"{ "a" : \#(post) }"# : "[\(post)]"
            default: post
            }
        let result = try await app.check("--sources WebService --type '\(type)' --print", payload: payload)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.text.contains("Some post"), "\(result.text)")
    }

    @Test func aSecondRunCompilesNothingAndAChangedFileIsCompiled() async throws {
        let payload = #"{ "posts" : [] }"#
        // The first run may also compile the modules that all programs share.
        #expect(try await app.check(Self.types, payload: payload).status == 0)
        let before = try app.compilations()
        #expect(before >= 1)
        #expect(try await app.check(Self.types + "--print -", payload: payload).status == 0)
        #expect(try await app.check("--sources ./WebService/ --type BlogPostsRequest", payload: payload).status == 0)
        #expect(try app.compilations() == before)
        try app.folder.write(
            "struct BlogPostsRequest: Decodable {\n    let entries: [BlogPost]\n}\n",
            to: "WebService/Types/BlogPostsRequest.swift")
        let changed = try await app.check(Self.types, payload: payload)
        #expect(changed.status == 1)
        #expect(changed.text.contains("entries: expected"), "\(changed.text)")
        #expect(try app.compilations() == before + 1)
    }

    @Test func aLinkToAFolderGivesTheModuleItsName() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: app.folder.path("Linked types"), withDestinationPath: "WebService/Types")
        let result = try await app.check(
            "--sources 'Linked types' --type '[BlogPost]' --print", payload: #"[{ "title" : "a", "tags" : [] }]"#)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.text.contains("Linked_types.BlogPost(title: \"a\""), "\(result.text)")
    }

    @Test func compileErrorsHaveTheUsersPaths() async throws {
        try app.folder.write("struct Broken: Decodable { let id: Itn }\n", to: "WebService/Broken.swift")
        let result = try await app.check(Self.types, payload: "{}")
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(
            result.error.contains("WebService/Broken.swift:1:36: error: cannot find type 'Itn' in scope"),
            "\(result.error)")
        #expect(result.error.hasSuffix("wharf: the sources don't compile\n"), "\(result.error)")
        #expect(!result.error.contains("WharfCheck"), "\(result.error)")
    }

    @Test(arguments: [
        ("import UIKit\n", "no such module 'UIKit'", "name a folder that holds the types alone"),
        ("@main struct Tool { static func main() {} }\n", "'main' attribute", "a check has its own entry point"),
    ])
    func sourceThatIsNoModelIsReportedWithAHint(text: String, message: String, hint: String) async throws {
        try app.folder.write(text, to: "WebService/Other.swift")
        let result = try await app.check(Self.types, payload: "{}")
        #expect(result.status == 2)
        #expect(result.error.contains("WebService/Other.swift:1:"), "\(result.error)")
        #expect(result.error.contains(message), "\(result.error)")
        #expect(result.error.contains("wharf: the sources don't compile; \(hint)"), "\(result.error)")
    }

    @Test(arguments: [
        ("BlogPostRequest", "wharf: --type: cannot find type 'BlogPostRequest' in scope\n"),
        (
            "Plain",
            "wharf: --type: expected a type that is Decodable, or WharfJSON's JSONDecodable, found 'Plain'\n"
        ),
        ("[BlogPost", "wharf: --type: expected ']' in array type\n"),
    ])
    func invalidTypeIsReportedInOneLine(type: String, expected: String) async throws {
        try app.folder.write("struct Plain {}\n", to: "WebService/Plain.swift")
        let result = try await app.check("--sources WebService --type '\(type)'", payload: "{}")
        #expect(result.status == 2)
        #expect(result.error == expected)
    }

    @Test func rulesAndDecoderAreReadFromTheGivenFiles() async throws {
        try app.folder.write(
            """
            import WharfCheck

            let rules: [Rule<Entry>] = [
                Rule("an entry has a title") { !$0.title.isEmpty }
            ]
            """, to: "WebService/EntryRules.swift")
        try app.folder.write(
            """
            import Foundation

            let decoder: JSONDecoder = {
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                return decoder
            }()
            """, to: "Decoder.swift")
        try app.folder.write(
            "import Foundation\n\nstruct Entry: Decodable {\n    let title: String\n    let date: Date\n}\n",
            to: "WebService/Entry.swift")
        let words = "--sources WebService --type Entry --rules WebService/EntryRules.swift --decoder Decoder.swift"
        let obeys = try await app.check(words, payload: #"{"title": "a", "date": "2026-01-31T12:00:00Z"}"#)
        #expect(obeys.status == 0, "\(obeys.text)\(obeys.error)")
        let breaks = try await app.check(words, payload: #"{"title": "", "date": "2026-01-31T12:00:00Z"}"#)
        #expect(breaks.status == 1)
        #expect(breaks.text.contains("an entry has a title"), "\(breaks.text)")
        let without = try await app.check(
            "--sources WebService/Types --type BlogPost --rules Decoder.swift", payload: "{}")
        #expect(without.status == 2)
        #expect(
            without.error
                == "wharf: --rules: expected let rules: [Rule<BlogPost>] in the file, found no rules\n")
    }

    @Test func aURLIsReadThroughTheCacheAndNamed() async throws {
        try await TestServer.run { server in
            server.route(.get, "/posts", TestResponse.text(#"{ "posts" : [ 1 ] }"#).maxAge(0))
            let words = Self.types + "--cache cache.sqlite \(server.baseURL)/posts"
            let first = try await app.check(words)
            #expect(first.status == 1, "\(first.error)")
            #expect(first.text.contains("\(server.baseURL)/posts:1:15: posts[0]: expected"), "\(first.text)")
            await server.stop()
            let second = try await app.check(words)
            #expect(second.text == first.text)
            #expect(second.error.contains("is the cached answer"), "\(second.error)")
        }
    }

    @Test func failingURLIsReportedBeforeCompiling() async throws {
        try await TestServer.run { server in
            server.route(.get, "/posts", .status(.notFound))
            let builds = app.folder.path("builds")
            let result = try await app.check(
                Self.types + "--cache cache.sqlite \(server.baseURL)/posts",
                environment: ["WHARF_CHECK_BUILDS": builds])
            #expect(result.status == 3)
            #expect(result.error.contains("/posts answered 404 Not Found"), "\(result.error)")
            #expect(!FileManager.default.fileExists(atPath: builds))
        }
    }

    @Test func filesAreCheckedOneByOne() async throws {
        try app.folder.write("{ \"posts\" : [] }", to: "-good.json")
        try app.folder.write("{ \"posts\" : null }", to: "bad.json")
        let result = try await app.check(Self.types + "bad.json -- -good.json -", payload: "{}")
        #expect(result.status == 1, "\(result.error)")
        #expect(result.text.contains("bad.json:1:13: posts: expected an array, found null\n"), "\(result.text)")
        #expect(result.text.contains("standard input:1:1: posts: "), "\(result.text)")
    }

    @Test func aSignalEndsTheCompiler() async throws {
        let builds = app.folder.path("builds")
        try app.folder.write(
            "#!/bin/sh\n[ \"$1\" = --version ] && exec echo Swift\necho $$ >\"$FOLDER/started\"\nexec sleep 600\n",
            to: "swiftc")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: app.folder.path("swiftc"))
        let environment = try app.environment(
            "", ["WHARF_CHECK_BUILDS": builds, "PATH": app.folder.path("") + ":/usr/bin:/bin"])
        let child = Child.started(
            #"""
            cd "$FOLDER"
            "$WHARF" check --sources WebService --type BlogPost </dev/null &
            until [ -s started ]; do sleep 0.1; done
            kill -INT $!
            wait $!
            status=$?
            kill -0 "$(cat started)" 2>/dev/null && echo 'it lives' >&2
            exit $status
            """#, environment: environment)
        let result = try await child.end()
        #expect(result.status == 130, "\(result.error)")
        #expect(result.error == "wharf: cancelled\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: builds) == ["lock"])
    }
}
