import Foundation
import Testing
import Wharf

@testable import WharfCommand

struct CacheShowTests {
    @Test func textShowsTheCalculationAndTheDecidingSection() async throws {
        let file = try CacheFile()
        try await file.keep(
            "https://a/x", "hello",
            fields: [.cacheControl: "max-age=60, must-revalidate", .age: "30", .vary: "Accept"], age: 50,
            varying: [.accept: "text/plain"])
        let result = await file.run("show", "https://A:443/x")
        #expect(result.status == .delivered)
        for line in [
            "status      200 OK", "body        5 B", "varies by   Accept (Accept: text/plain)",
            "directives  max-age=60, must-revalidate", "  Age: 30", "freshness, by RFC 9111 §5.2.2.1:",
            "  stale for           20.000 s   current age less lifetime",
            "  if the origin is unreachable      not used: it is stale, and must-revalidate forbids its use "
                + "(RFC 9111 §5.2.2.2)",
        ] {
            #expect(result.text.contains(line + "\n"), "\(line) in \(result.text)")
        }
    }

    @Test func secretsAreHiddenUnlessRevealed() async throws {
        let file = try CacheFile()
        try await file.keep(
            "https://a/x?code=s3cr3t", "hello",
            fields: [
                .setCookie: "id=s3cr3t", .location: "/y?code=s3cr3t", HTTPField.Name("X-Session")!: "s3cr3t",
                .vary: "X-Api-Key",
            ], varying: [HTTPField.Name("X-Api-Key")!: "s3cr3t"])
        for form in [[], ["--json"]] {
            let hidden = await file.session.run(["cache", "show", "1", "--cache", file.path] + form)
            #expect(!hidden.text.contains("s3cr3t") && hidden.text.contains("/y?code=***"), "\(hidden.text)")
            let shown = await file.session.run(["cache", "show", "1", "--reveal", "--cache", file.path] + form)
            #expect(shown.text.components(separatedBy: "s3cr3t").count == 6, "\(shown.text)")
        }
        let unknown = await file.run("show", "https://a/x?code=0th3r")
        #expect(unknown.status == .notDone && unknown.error.contains("has no answer for https://a/x?code=***"))
    }

    @Test func bodyIsWrittenUnchangedForOneAnswer() async throws {
        let file = try CacheFile()
        try await file.keep("https://a/x", "\0one\n", fields: [.contentEncoding: "x-own"])
        try await file.keep("https://a/x", "two", of: "anna")
        let both = await file.run("show", "https://a/x", "--body")
        #expect(both.status == .usage && both.output.isEmpty && both.error.contains("give one of the ids 2, 1"))
        let one = await file.run("show", "1", "--body")
        #expect(one.status == .delivered && one.output == Array("\0one\n".utf8))
        #expect(one.error == "the body has the Content-Encoding x-own\n")
        #expect(await file.run("show", "https://a/x").error.contains("2 answers for https://a/x of 2 accounts"))
    }

    /// `show --body` and `verify` must not change the answer that is evicted next.
    @Test func readingIsNoUse() async throws {
        let file = try CacheFile()
        for name in ["a", "b", "c"] { try await file.keep("https://\(name)/") }
        _ = await file.run("show", "1", "--body")
        #expect(await file.run("verify").status == .delivered)
        #expect(try await file.targets() == ["https://c/", "https://b/", "https://a/"])
    }
}
