/// A decoder that stands at a value of a document, and can say which: a ``JSONNodeDecoder``, or one
/// that watches what goes through it.
package protocol JSONNodeBacked {
    var jsonNode: JSONNodeDecoder { get }
}

extension JSONNodeDecoder: JSONNodeBacked {
    package var jsonNode: JSONNodeDecoder { self }
}
