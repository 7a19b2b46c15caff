import WharfChecks
import WharfPlayback
import WharfPlaybackLaws

enum ScreenMutants {
    static let all: [LawMutant<ScreenLaws.Subject>] = [
        mutant(.tellsChangesOnly, breaks: "a new reader of the states gets the current one"),
        mutant(.tellsTwoReadersOnly, breaks: "each reader of the states gets the outcome of a command"),
        mutant(.keepsTheOldest, breaks: "a slow reader of the states gets the last one"),
        mutant(.tellsNothingOfTheRemote, breaks: "a change made at the device reaches the readers of the states"),
        mutant(.losesTheTitle, breaks: "the item in the states is the loaded one, unchanged"),
        mutant(.beginsAtZero, breaks: begun),
        mutant(.playsWhatIsHeld, breaks: begun),
        mutant(.forgetsEveryFifth, breaks: "the last of several plays and pauses wins"),
        mutant(.playsBehindASeek, breaks: seek),
        mutant(.pausesAtASeek, breaks: seek),
        mutant(.playsAtAProgress, breaks: "a progress changes neither the item nor whether the player plays"),
        mutant(.pausesAtAStop, breaks: "a stop forgets the item"),
        mutant(.playsNothing, breaks: "a play, a pause and a seek are refused without an item"),
        mutant(.refusesToStopNothing, breaks: "a stop and a progress without an item are accepted, and do nothing"),
        mutant(.takesCommandsUnconnected, breaks: unconnected),
        mutant(.tellsUnconnected, breaks: unconnected),
        mutant(.startsAnewWhenConnectedTwice, breaks: "a second connect changes nothing"),
        mutant(.stopsWhenLetGo, breaks: "the device plays on when the screen connects and disconnects"),
        mutant(.staysWhenLetGo, breaks: letGo),
        mutant(.takesCommandsWhenLetGo, breaks: letGo),
        mutant(.remembersTheLoss, breaks: loss),
        mutant(.losesWhenLetGo, breaks: loss),
        mutant(.staysWhenGone, breaks: gone),
        mutant(.takesCommandsWhenGone, breaks: gone),
        mutant(.connectsOnce, breaks: "a lost screen can be reconnected, and has the current state of its device"),
        mutant(.connectsNobody, breaks: "an absent screen can't be connected"),
        mutant(
            .waitsForWhoIsGone, breaks: "a connect fails if the screen vanishes meanwhile"),
        mutant(.takesTheUnanswered, breaks: "a command fails if the screen vanishes before it answers"),
        mutant(
            .waitsWhenCancelled, breaks: "a cancelled connect ends at once, and the screen can be connected later"
        ),
        mutant(.connectsTheCancelled, breaks: "a connect cancelled before it begins leaves the screen unconnected"),
        mutant(
            .waitsWithACommand, breaks: "a cancelled command ends at once"),
    ]

    private static let begun = "a loaded item is at its position, playing or paused"
    private static let seek = "a seek keeps the player playing or paused"
    private static let unconnected = "an unconnected screen has no states, and accepts no command"
    private static let letGo = "a screen disconnected once or twice has no states, and accepts no command"
    private static let loss = "a screen has no loss after it reconnects, and none after it disconnects"
    private static let gone = "the states of a vanished screen end, and it accepts no command"

    private static func mutant(_ fault: WrongScreen.Fault, breaks law: String) -> LawMutant<ScreenLaws.Subject> {
        .init(breaks: law, .init("\(fault)") { WrongScreen(fault).underLaws() })
    }
}
