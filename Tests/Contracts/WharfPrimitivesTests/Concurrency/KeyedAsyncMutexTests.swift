import Simulation
import Testing
import WharfPrimitives

@Suite struct KeyedAsyncMutexTests {
    @Test func bodiesOfOneKeyKeepTheirOrderInEveryOrder() throws {
        try Exploration.exhaustive(
            LockLaws.excludesInOrder {
                let mutex = KeyedAsyncMutex<String>()
                let holder = Monitor<KeyedAsyncMutex<String>.Reservation?>(nil)
                return LockUnderTest {
                    let place = mutex.reserve("key")
                    await mutex.wait(for: place)
                    holder.withLock { held, _ in held = place }
                } acquireUnlessCancelled: {
                    true
                } release: {
                    if let place = holder.read({ $0 }) { mutex.leave(place) }
                }
            })
    }

    @Test func heldKeyDoesNotBlockAnother() throws {
        try Exploration.exhaustive { simulation in
            let (mutex, promise, log) = (KeyedAsyncMutex<String>(), Promise<Void>(), Log<String>())
            simulation.task("a") {
                await mutex.withLock("a") {
                    await promise.wait()
                    log.note("a")
                }
            }
            simulation.task("b") {
                await mutex.withLock("b") { log.note("b") }
                promise.fulfil()
            }
            return { log.notes == ["b", "a"] ? nil : "found \(log.notes)" }
        }
    }

    @Test func reservationLeftBeforeItsTurnIsSkipped() throws {
        try Exploration.exhaustive { simulation in
            let (mutex, log) = (KeyedAsyncMutex<Int>(), Log<Int>())
            let places = (0..<3).map { _ in mutex.reserve(7) }
            for task in [2, 0] {
                simulation.task("\(task)") {
                    await mutex.wait(for: places[task])
                    log.note(task)
                    mutex.leave(places[task])
                }
            }
            simulation.task("leaver") { mutex.leave(places[1]) }
            return { log.notes == [0, 2] ? nil : "found \(log.notes)" }
        }
    }

    @Test func oneMutexForAllKeysIsCaught() {
        let found = counterexample { simulation in
            let (mutex, promise) = (AsyncMutex(), Promise<Void>())
            simulation.task("a") { await mutex.withLock { await promise.wait() } }
            simulation.task("b") {
                await mutex.withLock {}
                promise.fulfil()
            }
            return { nil }
        }
        #expect(found?.failure == .deadlock(unfinished: ["a", "b"]))
    }
}
