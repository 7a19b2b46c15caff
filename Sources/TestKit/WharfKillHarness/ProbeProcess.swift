internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The steps of a program that is started to be killed.
///
/// It prints each step, and stops at one of them for ever.
package enum ProbeProcess {
    /// Writes one line by one call, which a pipe takes as a whole or not at all.
    package static func say(_ line: String, to descriptor: Int32 = 1) {
        let bytes = Array((line + "\n").utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { exit(74) }
    }

    /// Writes a message to standard error and ends the process.
    package static func end(_ code: Int32, _ message: String) -> Never {
        say(message, to: 2)
        exit(code)
    }

    private static func haltForEver() {
        while true { pause() }
    }

    /// Prints each step that it is told, and stops at one.
    package final class Steps: Sendable {
        private let halt: (label: String, times: Int)?
        private let count = Mutex(0)

        /// Creates steps.
        ///
        /// - Parameter halt: the step at which the process stops, and at which occurrence of it;
        ///   nil for never.
        package init(haltingAt halt: (label: String, times: Int)?) { self.halt = halt }

        /// Prints a step, and stops for ever if it is the one to halt at.
        package func reached(_ label: String) {
            // Printed before the halt, as the line tells the harness that the step is reached.
            say("at \(label)")
            guard let halt, label == halt.label else { return }
            let times = count.withLock { count in
                count += 1
                return count
            }
            if times == halt.times { haltForEver() }
        }
    }
}
