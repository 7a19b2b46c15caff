import WharfChecks
import WharfPlayback
import WharfPlaybackLaws

enum ScreenMutants {
    static let all: [LawMutant<ScreenLaws.Subject>] = [
        mutant(.tellsChangesOnly, breaks: "who asks for its states is told the one now"),
        mutant(.tellsTwoReadersOnly, breaks: "each reader is told what comes of a command"),
        mutant(.keepsTheOldest, breaks: "who reads slowly is told the last state in the end"),
        mutant(.tellsNothingOfTheRemote, breaks: "what is done at the device is told"),
        mutant(.losesTheTitle, breaks: "the item that it tells is the one that was loaded, as it was given"),
        mutant(.beginsAtZero, breaks: begun),
        mutant(.playsWhatIsHeld, breaks: begun),
        mutant(.forgetsEveryFifth, breaks: "of plays and pauses the last one counts"),
        mutant(.playsBehindASeek, breaks: seek),
        mutant(.pausesAtASeek, breaks: seek),
        mutant(.playsAtAProgress, breaks: "a progress changes neither the item nor whether it plays"),
        mutant(.pausesAtAStop, breaks: "a stop forgets the item"),
        mutant(.playsNothing, breaks: "without an item there is nothing to play, to pause or to seek in"),
        mutant(.refusesToStopNothing, breaks: "without an item a stop and a progress are taken, and do nothing"),
        mutant(.takesCommandsUnconnected, breaks: unconnected),
        mutant(.tellsUnconnected, breaks: unconnected),
        mutant(.startsAnewWhenConnectedTwice, breaks: "connecting twice is like once"),
        mutant(.stopsWhenLetGo, breaks: "what the device plays goes on when it is connected and let go of"),
        mutant(.staysWhenLetGo, breaks: letGo),
        mutant(.takesCommandsWhenLetGo, breaks: letGo),
        mutant(.remembersTheLoss, breaks: loss),
        mutant(.losesWhenLetGo, breaks: loss),
        mutant(.staysWhenGone, breaks: gone),
        mutant(.takesCommandsWhenGone, breaks: gone),
        mutant(.connectsOnce, breaks: "a screen that was lost can be connected again, and tells what it does now"),
        mutant(.connectsNobody, breaks: "a screen that is not there can't be connected"),
        mutant(
            .waitsForWhoIsGone, breaks: "a screen that disappears while it is being connected is not connected"),
        mutant(.takesTheUnanswered, breaks: "a command fails when the screen disappears before it has answered"),
        mutant(
            .waitsWhenCancelled, breaks: "who is cancelled while it connects hears of it at once, and can connect later"
        ),
        mutant(.connectsTheCancelled, breaks: "who was cancelled before it connects is not connected"),
        mutant(
            .waitsWithACommand, breaks: "who is cancelled while a command is on its way hears of it at once"),
    ]

    private static let begun = "an item is ready at its position, playing or held"
    private static let seek = "a seek keeps it playing, or paused"
    private static let unconnected = "without a connection it tells nothing and takes no command"
    private static let letGo = "who was let go of tells nothing more, and takes no command; twice is harmless"
    private static let loss = "a loss is told as long as it lasts, and is none where it was let go of"
    private static let gone = "a screen that disappears tells nothing more, and takes no command"

    private static func mutant(_ fault: WrongScreen.Fault, breaks law: String) -> LawMutant<ScreenLaws.Subject> {
        .init(breaks: law, .init("\(fault)") { WrongScreen(fault).underLaws() })
    }
}
