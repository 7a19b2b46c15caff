/// The destination of failures, and whether tests run in this process.
package struct FailureReporting: Sendable {
    package let isTesting: @Sendable () -> Bool
    package let fail: @Sendable (_ message: String, _ place: FailurePlace) -> Void
    /// Fails a test, and throws an error that is not a second failure. Outside of tests it returns.
    package let failAndThrow: @Sendable (_ message: String, _ place: FailurePlace) throws -> Void

    package init(
        isTesting: @escaping @Sendable () -> Bool,
        fail: @escaping @Sendable (_ message: String, _ place: FailurePlace) -> Void,
        failAndThrow: @escaping @Sendable (_ message: String, _ place: FailurePlace) throws -> Void = { _, _ in }
    ) {
        self.isTesting = isTesting
        self.fail = fail
        self.failAndThrow = failAndThrow
    }

    /// The reporting of the running task.
    ///
    /// It uses `TaskLocal` without its macro, whose expansion takes the compiler longer than all
    /// code of this file.
    package static let local = TaskLocal(
        wrappedValue: Self(
            isTesting: { LinkedReporter.type?.isTesting ?? false },
            fail: { message, place in
                guard let reporter = LinkedReporter.type, reporter.isTesting else {
                    // In an app a linked reporter has no test to fail, so the message is printed.
                    return print("\(place.filePath):\(place.line): \(message)")
                }
                reporter.fail(message, at: place)
            },
            failAndThrow: { message, place in
                guard let reporter = LinkedReporter.type, reporter.isTesting else { return }
                try reporter.failAndThrow(message, at: place)
            }))

    static var current: Self { local.get() }
}
