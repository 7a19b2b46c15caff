import Testing
import WharfGraphQL

@Suite struct PrettyTests {
    private static let film = GraphQLDocument {
        GraphQLOperation.query(
            "Film", variables: [GraphQLVariable("id", "ID!"), GraphQLVariable("cast", "Int", default: 5)],
            directives: [GraphQLDirective("cached", ["seconds": 60])]
        ) {
            GraphQLField("film", ["id": .variable("id")]) {
                "title"
                GraphQLField(alias: "poster", "image", ["size": .enum("LARGE")]) { "url" }
                GraphQLField("cast", ["first": .variable("cast")]) { GraphQLFragmentSpread("person") }
                GraphQLInlineFragment(on: "Series") { "seasons" }
                GraphQLInlineFragment(directives: [GraphQLDirective("include", ["if": true])]) { "synopsis" }
            }
        }
        GraphQLFragment("person", on: "Person") { "name" }
    }

    @Test func prettyDocumentMirrorsItsBuilder() throws {
        #expect(
            try Self.film.pretty() == """
                query Film($id: ID!, $cast: Int = 5) @cached(seconds: 60) {
                  film(id: $id) {
                    title
                    poster: image(size: LARGE) {
                      url
                    }
                    cast(first: $cast) {
                      ...person
                    }
                    ... on Series {
                      seasons
                    }
                    ... @include(if: true) {
                      synopsis
                    }
                  }
                }

                fragment person on Person {
                  name
                }
                """)
        #expect(
            try Self.film.compact()
                == "query Film($id:ID!$cast:Int=5)@cached(seconds:60){film(id:$id){title poster:image(size:LARGE){url}"
                + "cast(first:$cast){...person}...on Series{seasons}...@include(if:true){synopsis}}}"
                + "fragment person on Person{name}")
    }

    @Test func selectionsAreBuiltByConditionsAndLoops() throws {
        func document(isLong: Bool) -> GraphQLDocument {
            GraphQLDocument {
                GraphQLOperation.query {
                    if isLong { "synopsis" }
                    if isLong {
                        "year"
                    } else {
                        "title"
                    }
                    for name in ["a", "b"] { GraphQLField(name) { "id" } }
                }
            }
        }
        #expect(try document(isLong: true).compact() == "{synopsis year a{id}b{id}}")
        #expect(try document(isLong: false).compact() == "{title a{id}b{id}}")
    }

    @Test func partsOfADocumentGoIntoAnother() throws {
        let parsed = try GraphQLDocument(parsing: "fragment b on B { c }")
        let document = GraphQLDocument {
            for definition in Self.film.definitions.suffix(1) { definition }
            GraphQLOperation.query {
                if let operation = Self.film.operations.first {
                    for selection in operation.selections.prefix(1) { selection }
                }
            }
            parsed.definitions
        }
        #expect(try document.compact().hasPrefix("fragment person on Person{name}{film("))
        #expect(try document.compact().hasSuffix("fragment b on B{c}"))
    }

    @Test(
        arguments: [
            ("query { a }", "{\n  a\n}"),
            ("query ($a: Int) { a }", "query ($a: Int) {\n  a\n}"),
            ("query @d { a }", "query @d {\n  a\n}"),
            ("\"what\" query { a }", "\"what\"\nquery {\n  a\n}"),
            ("mutation { a }", "mutation {\n  a\n}"),
            ("{ a(b: {}) }", "{\n  a(b: {  })\n}"),
            ("{ a(b: { c: [] }) }", "{\n  a(b: { c: [] })\n}"),
            ("query ($a: Int \"b\" $b: Int) { a }", "query (\n$a: Int\n\"b\"\n$b: Int\n) {\n  a\n}"),
        ])
    func theRarePartsAreLaidOutAsGraphQLJSDoes(_ source: String, _ expected: String) throws {
        #expect(try GraphQLDocument(parsing: source).pretty() == expected)
    }

    /// `a(b: "…")` takes ten columns plus the text.
    @Test(arguments: [("a", 72, false), ("a", 73, true), ("\u{1F600}", 36, false), ("\u{1F600}", 37, true)])
    func argumentsAreWrappedBeyondEightyUnitsOfUTF16(_ piece: String, _ count: Int, _ isWrapped: Bool) throws {
        let text = String(repeating: piece, count: count)
        let document = GraphQLDocument { GraphQLOperation.query { GraphQLField("a", ["b": "\(text)"]) } }
        #expect(
            try document.pretty()
                == (isWrapped ? "{\n  a(\n    b: \"\(text)\"\n  )\n}" : "{\n  a(b: \"\(text)\")\n}"))
    }

    @Test func listsAndObjectsAreWrappedFromTheOutside() throws {
        let long = GraphQLValue.string(GraphQLString(String(repeating: "x", count: 40)))
        let document = GraphQLDocument {
            GraphQLOperation.query { GraphQLField("a", ["b": [["c": long, "d": long], 1]]) }
        }
        let text = String(repeating: "x", count: 40)
        #expect(
            try document.pretty() == """
                {
                  a(
                    b: [
                      {
                        c: "\(text)"
                        d: "\(text)"
                      }
                      1
                    ]
                  )
                }
                """)
    }
}
