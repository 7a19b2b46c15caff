import Testing
import WharfGraphQL

/// Documents that the model can express but the grammar can't.
@Suite struct RefusalTests {
    private func error(_ document: GraphQLDocument) -> GraphQLSyntaxError? {
        var errors: [GraphQLSyntaxError?] = []
        for text in [document.compact, document.pretty] {
            do throws(GraphQLSyntaxError) {
                _ = try text()
                errors.append(nil)
            } catch {
                errors.append(error)
            }
        }
        #expect(errors[0] == errors[1])
        return errors[0]
    }

    private func error(_ value: GraphQLValue) -> GraphQLSyntaxError? {
        error(GraphQLDocument { GraphQLOperation.query("Q") { GraphQLField("a", ["b": ["c": [value]]]) } })
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatIsNotFiniteIsAnError(_ number: Double) {
        let found = error(.float(number))
        #expect(found?.code == .notFinite)
        #expect(
            found?.message
                == "expected a finite number, found \(number), in argument c, in argument b, in field a, in query Q")
        #expect(found?.location == nil)
        #expect(error(.float(Float(number)))?.code == .notFinite)
    }

    @Test(arguments: ["true", "false", "null", "", "1a", "a-b", "\u{E9}", "a b", "a\u{301}"])
    func invalidEnumValueIsRefused(_ name: String) {
        #expect(error(.enum(name))?.code == .invalidName)
    }

    @Test(arguments: ["", "1a", "a-b", "\u{E9}", "a b", "a{b}", "$a", "a\0"])
    func invalidNameIsRefused(_ name: String) {
        #expect(error(.variable(name))?.code == .invalidName)
        let documents = [
            GraphQLDocument { GraphQLOperation.query(name) { "a" } },
            GraphQLDocument { GraphQLOperation.query { GraphQLField(name) } },
            GraphQLDocument { GraphQLOperation.query { GraphQLField(alias: name, "a") } },
            GraphQLDocument {
                GraphQLOperation.query { GraphQLField("a", GraphQLArguments([GraphQLArgument(name, 1)])) }
            },
            GraphQLDocument { GraphQLOperation.query { GraphQLInlineFragment(on: name) { "a" } } },
            GraphQLDocument { GraphQLOperation.query(directives: [GraphQLDirective(name)]) { "a" } },
            GraphQLDocument { GraphQLOperation.query(variables: [GraphQLVariable(name, "Int")]) { "a" } },
            GraphQLDocument { GraphQLOperation.query(variables: [GraphQLVariable("a", .named(name))]) { "a" } },
            GraphQLDocument { GraphQLFragment(name, on: "A") { "a" } },
            GraphQLDocument { GraphQLFragment("a", on: name) { "a" } },
        ]
        for document in documents { #expect(error(document)?.code == .invalidName) }
    }

    @Test func fragmentNamedOnIsRefused() {
        #expect(error(GraphQLDocument { GraphQLFragment("on", on: "A") { "a" } })?.code == .invalidName)
        #expect(
            error(GraphQLDocument { GraphQLOperation.query { GraphQLFragmentSpread("on") } })?.code == .invalidName)
    }

    @Test func variableInADefaultOrDirectiveIsRefused() {
        let variable = GraphQLVariable("a", "Int", default: [.variable("b")])
        let directed = GraphQLVariable("a", "Int", directives: [GraphQLDirective("c", ["d": .variable("b")])])
        for variable in [variable, directed] {
            let found = error(GraphQLDocument { GraphQLOperation.query(variables: [variable]) { "a" } })
            #expect(found?.code == .notConstant)
        }
    }

    @Test func emptyDocumentOrSelectionIsRefused() {
        #expect(error(GraphQLDocument([]))?.code == .empty)
        #expect(error(GraphQLDocument { GraphQLOperation.query {} })?.code == .empty)
        #expect(error(GraphQLDocument { GraphQLOperation.query { GraphQLInlineFragment {} } })?.code == .empty)
        #expect(error(GraphQLDocument { GraphQLFragment("a", on: "A") {} })?.code == .empty)
    }

    @Test func aTypeThatIsWrittenWrongIsRefused() {
        for type in ["[Int", "Int!!", "", "[]", .nonNull(.nonNull(.named("Int")))] as [GraphQLType] {
            let document = GraphQLDocument {
                GraphQLOperation.query(variables: [GraphQLVariable("a", type)]) { "a" }
            }
            #expect(error(document).map { $0.code == .invalidName || $0.code == .invalidType } == true, "\(type)")
        }
    }

    @Test func deepestPrintableDocumentCanBeRead() throws {
        func nested(_ levels: Int) -> GraphQLDocument {
            var field = GraphQLField("a")
            for _ in 1..<levels {
                let inner = field
                field = GraphQLField("a") { inner }
            }
            return GraphQLDocument { GraphQLOperation.query { field } }
        }
        let deepest = nested(GraphQLDocument.maximumDepth)
        #expect(try GraphQLDocument(parsing: deepest.pretty()) == deepest)
        #expect(error(nested(GraphQLDocument.maximumDepth + 1))?.code == .tooDeep)
    }
}
