"""What agents do, by domain: the generator's vocabulary. `base past ing | object | tail` with slots in the tail."""

from __future__ import annotations

EVENTS: dict[str, str] = {
    "retail": """
cancel cancelled cancelling | order | {ID}
exchange exchanged exchanging | item | for the {NAME}
return returned returning | headphones | from order {ID}
refund refunded refunding | delivery fee | of {MONEY}
issue issued issuing | refund | of {MONEY} for order {ID}
apply applied applying | discount code | {ID} to your basket
update updated updating | shipping address | to {NAME}
ship shipped shipping | replacement | under tracking number {ID}
""",
    "travel": """
book booked booking | flight | from {NAME} to {NAME} on {DATE}
cancel cancelled cancelling | reservation | {ID}
upgrade upgraded upgrading | seats | to {NAME}
add added adding | checked bags | to reservation {ID}
change changed changing | departure date | to {DATE}
rebook rebooked rebooking | connection | on flight {ID} at {TIME}
send sent sending | itinerary | to {CONTACT}
""",
    "banking": """
transfer transferred transferring | funds | of {MONEY} to {PERSON}
block blocked blocking | card | ending in {ID}
raise raised raising | daily limit | to {MONEY}
dispute disputed disputing | charge | of {MONEY} on {DATE}
schedule scheduled scheduling | payment | of {MONEY} for {DATE}
close closed closing | savings account | {ID}
waive waived waiving | overdraft fee | of {MONEY}
""",
    "insurance": """
file filed filing | claim | {ID} for the water damage
renew renewed renewing | policy | {ID} until {DATE}
approve approved approving | estimate | of {MONEY}
upload uploaded uploading | photos | to claim {ID}
assign assigned assigning | adjuster | {PERSON} to the case
""",
    "telecom": """
activate activated activating | SIM card | {ID}
switch switched switching | plan | to {NAME}
port ported porting | number | {CONTACT} to your account
disable disabled disabling | roaming | for line {ID}
reset reset resetting | voicemail PIN | for {CONTACT}
""",
    "frontdesk": """
schedule scheduled scheduling | appointment | with {PERSON} on {DATE} at {TIME}
reschedule rescheduled rescheduling | visit | to {DATE}
cancel cancelled cancelling | consultation | on {DATE}
send sent sending | reminder | to {CONTACT}
check checked checking | coverage | under policy {ID}
""",
    "records": """
request requested requesting | refill | of {NAME} for {DURATION}
record recorded recording | blood pressure | for {DATE}
forward forwarded forwarding | lab results | to {PERSON}
update updated updating | medication list | in chart {ID}
flag flagged flagging | allergy | to {PERSON}
""",
    "hr": """
approve approved approving | leave request | from {DATE} to {DATE}
submit submitted submitting | expense report | {ID} over {MONEY}
enroll enrolled enrolling | new hire | {PERSON} in the {NAME} plan
update updated updating | payroll record | of {PERSON}
publish published publishing | job posting | {ID}
""",
    "crm": """
create created creating | lead | for {PERSON}
move moved moving | deal | {ID} to {NAME}
merge merged merging | duplicate contacts | {ID} and {ID}
log logged logging | call | with {PERSON} on {DATE}
assign assigned assigning | account | to {PERSON}
""",
    "ticketing": """
open opened opening | ticket | {ID} with priority {NAME}
escalate escalated escalating | case | {ID} to {PERSON}
close closed closing | incident | {ID}
add added adding | internal note | to ticket {ID}
merge merged merging | tickets | {ID} and {ID}
""",
    "calendar": """
create created creating | event | on {DATE} at {TIME}
move moved moving | stand-up | to {TIME}
invite invited inviting | attendees | to the meeting on {DATE}
decline declined declining | invitation | from {PERSON}
delete deleted deleting | recurring block | on {DATE}
book booked booking | meeting room | {NAME} for {DURATION}
""",
    "email": """
send sent sending | email | to {CONTACT}
forward forwarded forwarding | invoice | {ID} to {PERSON}
archive archived archiving | newsletters | from {PERSON}
draft drafted drafting | reply | to {PERSON}
label labelled labelling | messages | as {NAME}
delete deleted deleting | spam | from {DATE}
""",
    "messaging": """
post posted posting | announcement | in {NAME}
message messaged messaging | team | in {NAME} at {TIME}
pin pinned pinning | message | to {NAME}
invite invited inviting | guest | {PERSON} to {NAME}
share shared sharing | summary | with {PERSON}
""",
    "smarthome": """
turn~off turned~off turning~off | lights | in the {NAME}
set set setting | thermostat | to {COUNT} degrees
lock locked locking | front door | at {TIME}
start started starting | vacuum | for {DURATION}
dim dimmed dimming | lamp | to {PERCENT}
""",
    "food": """
place placed placing | order | {ID} at {PERSON}
reserve reserved reserving | table | for {COUNT} at {TIME} on {DATE}
remove removed removing | allergen item | from order {ID}
refund refunded refunding | missing dish | with {MONEY}
""",
    "logistics": """
reroute rerouted rerouting | parcel | {ID} to {NAME}
dispatch dispatched dispatching | courier | to {NAME} at {TIME}
print printed printing | shipping label | {ID}
reschedule rescheduled rescheduling | delivery | for {DATE}
confirm confirmed confirming | pickup | with {PERSON} at {TIME}
""",
    "realestate": """
book booked booking | viewing | at {NAME} on {DATE}
send sent sending | lease | to {CONTACT}
record recorded recording | maintenance request | {ID}
list listed listing | flat | for {MONEY}
""",
    "education": """
enroll enrolled enrolling | student | {PERSON} in {NAME}
grade graded grading | assignments | with an average of {PERCENT}
post posted posting | syllabus | to {NAME}
extend extended extending | deadline | to {DATE}
""",
    "government": """
submit submitted submitting | permit application | {ID}
renew renewed renewing | licence | {ID} until {DATE}
schedule scheduled scheduling | inspection | for {DATE} at {TIME}
calculate calculated calculating | fee | of {MONEY}
""",
    "gaming": """
restore restored restoring | account | {ID}
grant granted granting | compensation pack | with {COUNT} gems
lift lifted lifting | ban | on account {ID}
redeem redeemed redeeming | code | {ID}
""",
    "itsupport": """
reset reset resetting | password | for {PERSON}
provision provisioned provisioning | laptop | {ID} for {PERSON}
restart restarted restarting | print server | at {TIME}
grant granted granting | access | to {NAME}
unlock unlocked unlocking | account | {ID}
""",
    "devops": """
deploy deployed deploying | release | {ID} to {NAME}
roll~back rolled~back rolling~back | deployment | {ID}
scale scaled scaling | cluster | to {COUNT} nodes
rotate rotated rotating | credentials | for {NAME}
restart restarted restarting | service | at {TIME}
apply applied applying | migration | {ID}
""",
    "coding": """
fix fixed fixing | race condition | in {NAME}
refactor refactored refactoring | parser | in {NAME}
add added adding | unit tests | to {NAME}
run ran running | test suite | in {DURATION}
commit committed committing | changes | as {ID}
push pushed pushing | branch | to {NAME}
remove removed removing | dead code | from {NAME}
install installed installing | dependencies | for {NAME}
open opened opening | pull request | {ID}
update updated updating | changelog | for version {NAME}
""",
    "data": """
query queried querying | orders table | for {DATE}
export exported exporting | report | to {NAME}
train trained training | model | on {COUNT} rows
load loaded loading | dataset | from {NAME}
plot plotted plotting | revenue | for {DATE}
drop dropped dropping | duplicate rows | from {NAME}
""",
    "research": """
search searched searching | papers | from {DATE}
summarize summarized summarizing | findings | of {PERSON}
download downloaded downloading | study | {ID}
compare compared comparing | results | of {PERSON} and {PERSON}
cite cited citing | article | {ID}
""",
    "browser": """
fill filled filling | form | on {CONTACT}
click clicked clicking | checkout button | on {CONTACT}
download downloaded downloading | statement | for {DATE}
add added adding | product | {NAME} to the cart
submit submitted submitting | application | {ID}
""",
    "payments": """
charge charged charging | card | ending in {ID} with {MONEY}
void voided voiding | transaction | {ID}
capture captured capturing | payment | of {MONEY}
send sent sending | payout | of {MONEY} to {PERSON}
retry retried retrying | invoice | {ID}
""",
    "legal": """
review reviewed reviewing | contract | with {PERSON}
redline redlined redlining | clause | {ID}
file filed filing | motion | in case {ID}
send sent sending | NDA | to {CONTACT}
""",
    "marketing": """
launch launched launching | campaign | {NAME} with a budget of {MONEY}
pause paused pausing | ad set | {ID}
segment segmented segmenting | audience | into {COUNT} groups
schedule scheduled scheduling | newsletter | for {DATE} at {TIME}
""",
    "social": """
publish published publishing | post | on {NAME} at {TIME}
hide hidden hiding | comments | from {PERSON}
schedule scheduled scheduling | thread | for {DATE}
remove removed removing | follower | {PERSON}
""",
    "media": """
render rendered rendering | clip | of {DURATION}
transcribe transcribed transcribing | interview | with {PERSON}
add added adding | songs | to {NAME}
resize resized resizing | images | by {PERCENT}
""",
}
