import Testing
import WharfChecks

@Suite struct ErasureTests {
    private let books = AnyShelf(Books(titles: ["a", "b"]))

    @Test func erasedFetchersOfDifferentTypesFetch() {
        let fetchers: [AnyFetchable<String>] = [
            AnyFetchable(UserFetch(names: ["Ann"])), AnyFetchable(UserFetch(names: [])),
        ]
        var found: [[String]?] = []
        for fetcher in fetchers { fetcher.fetch { found.append($0) } }
        #expect(found == [["Ann"], []])
    }

    @Test func methodsAreForwardedWithTheirEffects() async throws {
        #expect(try await books.load(1, at: "x") == "b")
        do throws(Empty) {
            _ = try await books.load(5, at: "x")
        } catch {
            #expect(error == Empty())
        }
        #expect(try books.each { $0 + "!" } == ["a!", "b!"])
        #expect(books.describe(["x"], in: "y") == #"["x"] in y"#)
        #expect(await books.present() == "a, b")
        #expect(books.contains("a"))
        var number = 1
        books.count(&number, unless: false)
        books.count(&number, unless: true)
        #expect(number == 3)
    }

    @Test func propertiesAndSubscriptsAreForwarded() async throws {
        #expect(books.count == 2)
        #expect(try await books.first == "a")
        #expect(books[1] == "b")
        #expect(books[named: "b"] == "b")
        #expect(books[named: "c"] == nil)
    }

    @Test func mutationChangesTheHeldCopyOnly() {
        var copy = books
        copy.label = "novels"
        copy[0] = "z"
        copy.add("c")
        #expect(copy.label == "novels")
        #expect(copy.count == 3 && copy[0] == "z")
        #expect(books.label == "books" && books.count == 2 && books[0] == "a")
    }

    @Test func selfResultIsErasedAgain() {
        let reversed: AnyShelf<String, Empty> = books.reversed()
        #expect(reversed[0] == "b")
    }

    @Test func inheritedRequirementsAreForwarded() {
        let jar = AnyLabelled(Jar(name: "jam"))
        #expect(jar.label() == "jam!")
        #expect((jar as any Named).name == "jam")
        #expect("\(jar as any Error)" == "a jar of jam")
    }

    @Test func eraserConformsToItsProtocol() {
        let twice = AnyShelf(books)
        #expect(twice.count == 2)
    }
}
