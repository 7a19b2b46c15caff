/// A decoder at a value of a document: a ``JSONNodeDecoder``, or a wrapper that observes its calls.
package protocol JSONNodeBacked {
    var jsonNode: JSONNodeDecoder { get }
}

extension JSONNodeDecoder: JSONNodeBacked {
    package var jsonNode: JSONNodeDecoder { self }
}
