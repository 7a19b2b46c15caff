internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What a program does that is started to be killed: it says each step, and stops at one of them
/// for ever.
package enum ProbeProcess {
    /// One line by one call, which a pipe takes whole or not at all.
    package static func say(_ line: String, to descriptor: Int32 = 1) {
        let bytes = Array((line + "\n").utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { exit(74) }
    }

    package static func end(_ code: Int32, _ message: String) -> Never {
        say(message, to: 2)
        exit(code)
    }

    private static func haltForEver() {
        while true { pause() }
    }

    /// Says each step that it is told of, and stops at one.
    package final class Steps: Sendable {
        private let halt: (label: String, times: Int)?
        private let count = Mutex(0)

        /// - Parameter halt: at this step the process stops, the so-many-th time it comes there;
        ///   nil for never.
        package init(haltingAt halt: (label: String, times: Int)?) { self.halt = halt }

        package func reached(_ label: String) {
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
