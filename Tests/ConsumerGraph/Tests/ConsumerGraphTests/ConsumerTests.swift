import ConsumerGraph
import Foundation
import Testing

/// Builds packages that use Wharf, one at a time, as each build takes all cores.
@Suite(.serialized) struct ConsumerTests {
    /// The packages that a user may have to fetch. Packages for tests, tools, benchmarks and
    /// documentation are not among them.
    private static let fetched: Set<String> = ["swift-http-types", "swift-log", "grdb.swift"]

    /// The folder outlives the run, so that the next run only compiles changes. `make clean`
    /// removes it.
    private let builds = wharf.appending(path: "Tests/ConsumerGraph/.build/consumers")

    /// The other tests read the plan alone, as their shared folder also contains earlier builds.
    @Test func buildPlanNamesTheModulesThatAreBuilt() throws {
        let consumer = try Consumer(of: "WharfFakes", traits: [], wharf: wharf, builds: nil)
        defer { consumer.remove() }
        let compiled = try consumer.compiled()
        #expect(try compiled == consumer.left())
        #expect(compiled.contains("WharfFakes"))
    }

    @Test func aConsumerOfTheCoreCompilesTheCoreAndHTTPTypesOnly() throws {
        let consumer = try Consumer(of: "WharfCore", wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let resolved = try consumer.resolved()
        #expect(resolved.contains("swift-http-types"))
        #expect(resolved.isSubset(of: Self.fetched), "\(resolved.sorted())")
        #expect(try consumer.compiled() == ["WharfCore", "WharfErrors", "WharfPrimitives", "HTTPTypes"])
    }

    @Test func aConsumerOfJSONCompilesItAndTheErrorsOnly() throws {
        let consumer = try Consumer(of: "WharfJSON", wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try consumer.compiled() == ["WharfJSON", "WharfErrors"])
    }

    @Test(arguments: [
        ("WharfDependencies", ["WharfErrors"]), ("WharfGraphQL", ["WharfErrors"]),
    ])
    func aConsumerOfALeafCompilesItAndItsErrorsOnly(product: String, errors: [String]) throws {
        let consumer = try Consumer(of: product, traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try consumer.compiled() == Set([product] + errors))
    }

    @Test func aLeakCheckCompilesAtMost5000LinesOfWharf() throws {
        let code = """
            import Testing
            import WharfChecks

            final class Presenter {}

            func checkThatThePresenterIsReleased() { trackForLeaks(Presenter()) }
            """
        let consumer = try Consumer(of: "WharfChecks", traits: [], code: code, wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let compiled = try consumer.compiled()
        #expect(compiled.isSubset(of: Table.wharf.reach(of: "WharfChecks")), "\(compiled.sorted())")
        #expect(compiled.contains("WharfChecks"))
        let lines = try Tree.lines(of: compiled, at: wharf)
        #expect(lines > 0 && lines <= 5_000, "\(lines) lines of \(compiled.sorted())")
    }

    @Test func aConsumerOfTheFakesCompilesNoChecks() throws {
        let consumer = try Consumer(of: "WharfFakes", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(
            try consumer.compiled() == [
                "WharfFakes", "WharfJSONFakes", "WharfRandom", "WharfCore", "WharfErrors", "WharfStorage", "WharfJSON",
                "WharfPrimitives", "HTTPTypes",
            ])
    }

    @Test func callSitesCompileWithTableModulesAndNoTestingTools() throws {
        let code = try ["CallSites", "JSONCallSites"].map { name in
            let file = wharf.appending(path: "Tests/ConsumerGraph/CallSites/\(name).swift")
            return try String(contentsOf: file, encoding: .utf8)
        }
        let consumer = try Consumer(of: "Wharf", code: code.joined(separator: "\n"), wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try consumer.resolved() == Self.fetched)
        let compiled = try consumer.compiled()
        #expect(compiled.isSubset(of: Table.wharf.reach(of: "Wharf")), "\(compiled.sorted())")
        #if os(Linux)
        // It is the only target that imports FoundationNetworking, which would then be linked.
        #expect(!compiled.contains("WharfURLSession"), "\(compiled.sorted())")
        #endif
        #expect(
            compiled.isSuperset(of: ["Wharf", "WharfJSON", "WharfSQLite", "GRDB", "Logging"]), "\(compiled.sorted())")
    }

    @Test func aConsumerOfWharfWithoutTraitsDoesWithoutGRDB() throws {
        let consumer = try Consumer(of: "Wharf", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try consumer.resolved() == Self.fetched.subtracting(["grdb.swift"]))
        let compiled = try consumer.compiled()
        #expect(compiled.isDisjoint(with: ["GRDB", "WharfSQLite"]), "\(compiled.sorted())")
        #expect(compiled.contains("Wharf"))
    }

    @Test func dataFileWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfSQLite", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try !consumer.resolved().contains("grdb.swift"))
        #expect(
            try consumer.compiled() == [
                "WharfSQLite", "WharfCore", "WharfErrors", "WharfStorage", "WharfPrimitives", "HTTPTypes",
            ])
    }

    @Test func killHarnessWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfKillHarness", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try !consumer.resolved().contains("swift-subprocess"))
        #expect(try consumer.compiled() == ["WharfKillHarness"])
    }

    @Test func publishersWithoutTheirTraitCostNothing() throws {
        let consumer = try Consumer(of: "WharfCombine", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try !consumer.resolved().contains("opencombine"))
        #expect(
            try consumer.compiled() == ["WharfCombine", "WharfCore", "WharfErrors", "WharfPrimitives", "HTTPTypes"])
    }

    @Test func macrosWithoutTheirTraitCostNothing() throws {
        let consumer = try Consumer(of: "WharfMacros", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try !consumer.resolved().contains("swift-syntax"))
        #expect(try consumer.compiled() == ["WharfMacros", "WharfJSON", "WharfErrors"])
    }

    @Test func transportWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfServer", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let resolved = try consumer.resolved()
        #expect(resolved.isSubset(of: Self.fetched), "\(resolved.sorted())")
        #expect(
            try consumer.compiled() == [
                "WharfServer", "WharfContentCoding", "WharfOutbox", "WharfCore", "WharfErrors", "WharfStorage",
                "WharfPrimitives", "HTTPTypes",
            ])
    }

    @Test func gatewayWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfGateway", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let resolved = try consumer.resolved()
        #expect(resolved.isSubset(of: Self.fetched), "\(resolved.sorted())")
        #expect(
            try consumer.compiled() == [
                "WharfGateway", "WharfCache", "WharfJSON", "WharfStorage", "WharfCore", "WharfErrors",
                "WharfPrimitives", "HTTPTypes",
            ])
    }

    @Test func castingWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfCast", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let resolved = try consumer.resolved()
        #expect(resolved.isSubset(of: Self.fetched), "\(resolved.sorted())")
        #expect(
            try consumer.compiled() == [
                "WharfCast", "WharfJSON", "WharfPlayback", "WharfCore", "WharfErrors", "WharfPrimitives", "HTTPTypes",
            ])
    }

    @Test func mailWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfMessaging", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        let resolved = try consumer.resolved()
        #expect(resolved.isSubset(of: Self.fetched), "\(resolved.sorted())")
        #expect(
            try consumer.compiled() == [
                "WharfMessaging", "WharfJSON", "WharfCore", "WharfErrors", "WharfStorage", "WharfPrimitives",
                "HTTPTypes",
            ])
    }

    @Test func testServerWithoutItsTraitCostsNothing() throws {
        let consumer = try Consumer(of: "WharfTestServer", traits: [], wharf: wharf, builds: builds)
        defer { consumer.remove() }
        #expect(try consumer.resolved().isDisjoint(with: ["flyingfox"]))
        #expect(
            try consumer.compiled() == [
                "WharfTestServer", "WharfFaults", "WharfRandom", "WharfCore", "WharfErrors", "WharfPrimitives",
                "HTTPTypes",
            ])
    }

    @Test(arguments: [("Testing", ["TestServer", "KillHarness"])])
    func traitResolvesTheSameAsTheTraitsItImplies(trait: String, implied: [String]) throws {
        let short = try Consumer(of: "Wharf", traits: [trait], wharf: wharf, builds: builds)
        defer { short.remove() }
        let long = try Consumer(of: "Wharf", traits: implied, wharf: wharf, builds: builds)
        defer { long.remove() }
        #expect(try short.resolved() == long.resolved())
        #expect(try !short.resolved().isSubset(of: Self.fetched))
    }
}
