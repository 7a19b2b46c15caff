import WharfGraphQL

/// Prints each accepted document in both forms, reads these again, and expects equal documents and
/// equal text. The place of a syntax error lies inside the input.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzGraphQL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(GraphQLSyntaxError) {
        let document = try GraphQLDocument(parsing: source)
        checkPrinted(document)
        checkSame(document, by: "minified", read(minified(source)))
    } catch {
        guard let place = error.location else { fatalError("no place: \(error)") }
        check((0...count).contains(place.offset), "\(place.offset) of \(count)")
        check(place.line >= 1 && (1...place.offset + 1).contains(place.column), "\(place) of \(place.offset)")
        check(!error.message.isEmpty && error.message.utf8.count < 400, error.message)
    }
    return 0
}

private func checkPrinted(_ document: GraphQLDocument) {
    do throws(GraphQLSyntaxError) {
        let (compact, pretty) = (try document.compact(), try document.pretty())
        checkSame(document, by: "compact", read(compact))
        checkSame(document, by: "pretty", read(pretty))
        check(minified(Array(pretty.utf8)).utf8.elementsEqual(compact.utf8), "minified otherwise: \(compact)")
        check(minified(Array(compact.utf8)).utf8.elementsEqual(compact.utf8), "minified twice: \(compact)")
        check(try read(pretty).pretty().utf8.elementsEqual(pretty.utf8), "printed otherwise: \(pretty)")
    } catch {
        fatalError("read, and can't be printed: \(error)")
    }
}

private func checkSame(_ document: GraphQLDocument, by way: String, _ again: GraphQLDocument) {
    check(again == document && again.hashValue == document.hashValue, "another document by \(way)")
}

private func read(_ text: String) -> GraphQLDocument {
    do throws(GraphQLSyntaxError) {
        return try GraphQLDocument(parsing: text)
    } catch {
        fatalError("printed, and can't be read: \(error)")
    }
}

private func minified(_ source: [UInt8]) -> String {
    do throws(GraphQLSyntaxError) {
        return try GraphQLDocument.minified(source)
    } catch {
        fatalError("read, and can't be minified: \(error)")
    }
}
