import WharfJSON

/// What one value's `init(from:)` asked its decoder, in order, each with what came of it.
///
/// A type is run again with one failed call filled at a time. What it asked before is answered as before, so that no value below is
/// decoded twice.
final class Calls {
    struct Question: Hashable {
        enum Operation { case isNil, value, object, array }

        let operation: Operation
        /// The container's value in the document.
        let node: Int
        /// Of an object, or the index in an array.
        let key: String
        let type: ObjectIdentifier
    }

    private struct Answer {
        let question: Question
        let outcome: any Outcome
        var isFilled = false
    }

    private var answers: [Answer] = []
    private var next = 0
    /// Those calls of this attempt that threw.
    private var failed: [Int] = []
    /// The type has opened an object or array, so that it may have more to say than about one value.
    private(set) var opensContainer = false

    func begin() {
        next = 0
        failed = []
    }

    func answer<Value>(_ question: Question, _ examine: () -> Examined<Value>) throws -> Value {
        if question.operation == .object || question.operation == .array { opensContainer = true }
        let index = next
        next += 1
        if index >= answers.count || answers[index].question != question {
            answers.removeSubrange(index...)
            answers.append(Answer(question: question, outcome: examine()))
        }
        guard let outcome = answers[index].outcome as? Examined<Value> else {
            preconditionFailure("a question names the type of its answer")
        }
        if let failure = outcome.failure, !answers[index].isFilled {
            failed.append(index)
            throw failure
        }
        return outcome.value.unsafelyUnwrapped
    }

    /// The call whose error left the type.
    func index(of error: any Error) -> Int? {
        failed.last { index in
            answers[index].outcome.failure.map { isSame($0, error) } ?? false
        }
    }

    func findings(at index: Int) -> [Finding] { answers[index].outcome.findings }

    /// Whether the call was to open the value itself as an object or array.
    func opened(_ node: JSONNodeDecoder, at index: Int) -> Bool {
        let question = answers[index].question
        return question.node == node.id && question.key.isEmpty
            && (question.operation == .object || question.operation == .array)
    }

    /// Answers the call from now on with what can stand in.
    ///
    /// - Returns: false where there is nothing that could.
    func fill(_ index: Int) -> Bool {
        guard answers[index].outcome.canStandIn else { return false }
        answers[index].isFilled = true
        return true
    }

    /// A type may rethrow an error, or catch it and throw another.
    private func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard let left = left as? DecodingError, let right = right as? DecodingError else {
            return type(of: left) == type(of: right) && String(reflecting: left) == String(reflecting: right)
        }
        return left.context.debugDescription == right.context.debugDescription
            && left.context.codingPath.elementsEqual(right.context.codingPath) { $0.stringValue == $1.stringValue }
    }
}

/// An ``Examined`` of any type.
protocol Outcome {
    var failure: (any Error)? { get }
    var findings: [Finding] { get }
    var canStandIn: Bool { get }
}

extension Examined: Outcome {
    var canStandIn: Bool { value != nil }
}

extension DecodingError {
    /// Of any of its cases.
    var context: Context {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: Context(codingPath: [], debugDescription: "\(self)")
        }
    }
}
