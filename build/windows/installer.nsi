; The installer for Windows, for the person who runs it alone: it needs no
; administrator. Built by build/packaging/windows.sh:
;   makensis -DVERSION=0.1.0 -DPROGRAM=…\countersign.exe -DOUT=…\setup.exe installer.nsi
Unicode true
!include "MUI2.nsh"

!define NAME "Countersign"
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
; Of Microsoft's WebView2, which shows the page; Windows 11 has it.
!define WEBVIEW "Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\${NAME}" "InstallDir"
RequestExecutionLevel user
SetCompressor /SOLID lzma
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "CompanyName" "faustine-ai"
VIAddVersionKey "FileDescription" "${NAME} installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "icon.ico"
!define MUI_UNICON "icon.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\countersign.exe"
!insertmacro MUI_PAGE_LICENSE "../../LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section
  SetOutPath "$INSTDIR"
  File "/oname=countersign.exe" "${PROGRAM}"
  File "../../LICENSE"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateDirectory "$SMPROGRAMS\${NAME}"
  CreateShortcut "$SMPROGRAMS\${NAME}\${NAME}.lnk" "$INSTDIR\countersign.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}\Play the demo.lnk" "$INSTDIR\countersign.exe" "demo"
  WriteRegStr HKCU "Software\${NAME}" "InstallDir" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "Publisher" "faustine-ai"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\countersign.exe"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "URLInfoAbout" "https://github.com/faustine-ai/countersign"
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1

  SetRegView 32
  ReadRegStr $0 HKLM "${WEBVIEW}" "pv"
  ReadRegStr $1 HKCU "${WEBVIEW}" "pv"
  ${If} "$0$1" == ""
    MessageBox MB_OK|MB_ICONINFORMATION "Countersign needs Microsoft's WebView2 runtime, which is not on this computer yet. Get it from https://developer.microsoft.com/microsoft-edge/webview2/ and start Countersign then."
  ${EndIf}
SectionEnd

; Conversations, settings, keys and the log stay: they are the person's own.
Section "Uninstall"
  Delete "$SMPROGRAMS\${NAME}\${NAME}.lnk"
  Delete "$SMPROGRAMS\${NAME}\Play the demo.lnk"
  RMDir "$SMPROGRAMS\${NAME}"
  Delete "$INSTDIR\countersign.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${KEY}"
  DeleteRegKey HKCU "Software\${NAME}"
SectionEnd
